/** Short forms and command names with what they mean: `short: words`. They hold in queries, in that direction only. */
export const abbreviations = `
ls: list directory
dir: directory list
cat: read file
mkdir: create directory
rmdir: delete directory
rm: delete remove file
mv: move rename file
cp: copy file
touch: create file
grep: search text
rg: search text
find: search
cd: directory
pwd: current directory
ps: list processes
kill: stop process
curl: fetch http request
wget: download url
ping: network
ssh: remote shell
cmd: command
exec: execute run
bash: shell command
sh: shell command
cli: command line
repo: repository
repos: repositories
pr: pull request
prs: pull requests
mr: merge request
ci: continuous integration build pipeline
cd: deployment
diff: compare difference changes
msg: message
msgs: messages
dm: direct message
sms: text message
mail: email
img: image
imgs: images
pic: picture image
pics: pictures images
vid: video
doc: document
docs: documents documentation
docx: word document
xls: excel spreadsheet
xlsx: excel spreadsheet
csv: spreadsheet table
ppt: powerpoint presentation
pptx: powerpoint presentation
md: markdown
txt: text file
db: database
sql: database query
k8s: kubernetes
vm: virtual machine
vms: virtual machines
env: environment
config: configuration
cfg: configuration
conf: configuration
param: parameter
params: parameters
arg: argument
args: arguments
auth: authentication authorization
pwd: password
pw: password
pass: password
creds: credentials
cert: certificate
certs: certificates
acl: permission access
iam: identity access
sub: subscription
rg: resource group
kv: key vault
lang: language
dict: dictionary
calc: calculate calculator
calculator: calculate
avg: average
min: minimum
max: maximum
num: number
qty: quantity
amt: amount
temp: temperature
lat: latitude
lon: longitude
lng: longitude
geo: location geographic
loc: location
addr: address
tel: phone
nav: navigation
gps: location
eta: arrival time
fx: exchange currency
forex: currency exchange
btc: bitcoin
eth: ethereum
nft: token crypto
defi: crypto finance
ipo: stock
etf: fund stock
roi: return investment
kpi: metric
crm: customer
hr: employee
ai: artificial intelligence
ml: machine learning
llm: language model
nlp: language text
tts: text speech voice
stt: speech text transcription
asr: speech recognition transcription
ocr: text recognition image
vpn: network
dns: domain name
url: link web
uri: link
http: web request
api: endpoint
sdk: library
ui: interface
seo: search engine optimization
qr: code
bmi: body mass index
gdp: economy
faq: question answer
todo: task
todos: tasks
eod: day
asap: now
tz: timezone
id: identifier
info: information
spec: specification
specs: specifications
stats: statistics
perf: performance
sched: schedule
appt: appointment
dept: department
org: organization
co: company
govt: government
uni: university
bio: biography
cv: resume
tix: tickets
bnb: accommodation airbnb
sync: synchronize
admin: administrator
dev: development
prod: production
lib: library
libs: libraries
pkg: package
pkgs: packages
deps: dependencies
dep: dependency
vuln: vulnerability
vulns: vulnerabilities
`
