/** Things that go by several names, one group a line. Every word stands weakly for the others. */
export const nounGroups = `
folder directory dir path
file document
image picture photo photograph img
picture drawing illustration artwork art
video clip movie footage
movie film cinema
film movie video
show series tv television
song track music tune audio
music song playlist artist album
audio sound voice speech
speech voice speaking spoken
podcast episode audio
email mail message inbox
message text sms chat
conversation chat thread dialogue
notification alert reminder
repository repo
branch ref
commit revision changeset
pr pull
issue ticket bug
task todo job chore
job position career vacancy employment work role
employee staff worker personnel
resume cv
company business firm organization corporation enterprise
organization org team group
user account member profile person
customer client buyer
contact person people address
person people human individual
password secret credential
credential key token secret
key secret
database db table sql
table sheet spreadsheet
spreadsheet excel sheet workbook
presentation slide deck ppt powerpoint
slide presentation powerpoint
chart graph plot diagram visualization
diagram chart flowchart
map location geography
location place position coordinate site
place location venue spot
city town municipality
country nation
address location street
route direction path navigation
direction route navigation way
distance length range
trip journey travel vacation holiday tour
vacation holiday travel trip
hotel accommodation lodging stay
accommodation lodging apartment hotel
flight airline plane airfare
plane aircraft airplane
airport flight
train railway rail
car vehicle automobile auto
house home property residence
property estate housing realty house
apartment flat condo home
restaurant dining eatery
food meal dish cuisine
meal food dinner lunch breakfast
recipe cooking dish cook
ingredient food
drink beverage cocktail
wine drink
diet nutrition eating
nutrition food calorie diet
exercise workout fitness training
fitness workout exercise gym health
health medical medicine healthcare wellness
doctor physician medical
disease illness condition sickness
symptom disease health
drug medication medicine
medicine drug medication pharmacy
weather climate forecast temperature
forecast weather prediction
rain weather precipitation
temperature weather heat
news article headline
article paper post story
paper publication article journal
research study paper
book novel literature
story tale narrative fiction
poem poetry verse
author writer
website site web webpage page
page website webpage
url link website address
link url
domain website
internet web online
search query lookup
price cost rate value
cost price expense fee
fee charge cost price
discount coupon deal promo
deal offer discount bargain
product item goods merchandise
item product
shop store shopping
store shop retailer
shopping shop product purchase
cart basket
order purchase transaction
invoice bill receipt
payment transaction pay
transaction transfer payment
money currency cash finance
currency money exchange forex
exchange currency conversion rate
finance financial money investment
stock share equity ticker
share stock
investment invest stock portfolio
crypto cryptocurrency bitcoin blockchain token
cryptocurrency crypto coin bitcoin
bitcoin crypto btc
ethereum eth crypto
tax taxation
loan mortgage credit
bank banking account
budget finance expense spending
income salary earnings revenue
salary wage pay income
profit earnings revenue
insurance policy coverage
law legal lawyer
legal law attorney court
lawyer attorney legal
contract agreement
school education university college
university college school
course class lesson curriculum training
lesson course class
student learner pupil
teacher instructor tutor
exam test quiz
quiz trivia test question
question query
answer response reply
language translation
word term vocabulary
dictionary definition meaning word
definition meaning
grammar language writing
sentence text phrase
text content string
summary abstract overview
code program script source
program software application
software application app
function method
error bug exception failure
log history record
test check
server host machine
container docker
vm machine instance
cloud server
network internet
ip address
port socket
process task
memory ram
disk storage drive
storage disk bucket blob
cluster kubernetes
backup snapshot
version release tag
package library module dependency
dependency package
vulnerability security weakness cve
security safety protection
permission access role
role permission
access permission
setting configuration preference option config
configuration setting config
event meeting occasion
meeting appointment event call
calendar schedule event agenda
schedule timetable calendar
date day time
time hour clock date
timezone time zone
birthday anniversary date
age birthday
game gaming play
sport game athletics
football soccer
team club squad
player athlete
score result point
match game
joke humor fun
gift present
toy game
pet animal dog cat
dog pet puppy
cat pet kitten
plant garden flower
animal wildlife species
astrology horoscope zodiac
tarot card fortune
fortune luck
religion bible faith
church religion
number figure digit
calculation math calculator arithmetic
math mathematics arithmetic
equation formula expression
formula equation
statistics stat metric
metric measurement statistic
average mean
sum total
percentage percent ratio
ratio proportion
random chance
color colour
size dimension
width length
weight mass
height altitude elevation
speed velocity
area surface region
volume capacity
energy power electricity
electricity power energy
space astronomy nasa
planet star space
photo image picture
logo brand icon
icon symbol
font typography
template layout
form survey questionnaire
survey poll feedback
feedback review opinion
review rating feedback
rating score review
comment reply feedback
tweet twitter post
social media
post blog article
blog post article
advertisement ad marketing
marketing advertising promotion seo
keyword seo
lead prospect
note memo
memory note recall
knowledge information
report summary analysis
analysis report insight
data dataset information
dataset data
api endpoint
webhook hook
model ai
prompt instruction
emotion mood feeling sentiment
sentiment emotion opinion
mood emotion feeling
stress anxiety mental
dream sleep
sleep rest
yoga meditation
baby child kid
child kid children
family relative parent
wedding marriage
friend contact
dating relationship
fashion clothing style outfit
clothing clothes apparel fashion
clothes clothing outfit wear
shoe footwear
jewelry ring
beauty cosmetic makeup skincare
hair beauty
furniture interior decor
decor interior furniture
room space
park garden
museum art exhibit
art painting artwork
concert music event
ticket booking pass
theater play drama
government state public
election vote politics
crime police
police law
patent invention
science research
chemistry chemical
chemical compound molecule
gene dna genetic
protein gene
patient medical
hospital clinic medical
traffic road
road street
bus transit transport
transit transport transportation
transportation transport transit travel
parking car
fuel gas petrol
delivery shipping package
shipping delivery freight
package parcel shipment
shipment delivery parcel
inventory stock supply
supplier vendor
phone mobile telephone call
device hardware
camera photo
light lamp
barcode qr
password passcode
element node
screen display
screenshot image capture
mouse cursor
keyboard key
window tab
tab page
button click
`
