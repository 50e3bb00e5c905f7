/** Actions that tool authors and users name differently, one group a line. Every word stands weakly for the others. */
export const verbGroups = `
create make add new generate build construct produce compose
create start initialize init setup establish launch
generate render draw produce design
insert add append put push include attach
delete remove erase drop destroy discard clear purge wipe
cancel abort stop terminate revoke
uninstall remove
update modify edit change alter revise adjust amend patch
set configure assign define specify
rename move relocate transfer
copy duplicate clone replicate
get fetch retrieve obtain read return load pull acquire
list enumerate show display browse view index
search find lookup query locate discover seek explore hunt
filter select choose pick match
recommend suggest advise propose recommendation suggestion advice
describe explain summarize inspect detail
summarize summary condense shorten digest abstract
check verify validate confirm inspect test ensure
analyze examine evaluate assess study investigate review audit
compare contrast diff difference
calculate compute evaluate work determine estimate count
estimate predict forecast project approximate
convert transform translate change turn
translate translation interpret
send deliver dispatch transmit email post forward
publish post share upload submit
upload import send put
download export save fetch
save store write persist record keep
record log capture track register
monitor track watch observe follow
open launch start access visit
close shut end finish exit
start begin run launch activate enable
stop end halt pause kill disable deactivate terminate
restart reboot reset reload
enable activate allow turn
run execute invoke perform call trigger
install setup deploy
deploy release publish ship rollout
connect join link attach bind
disconnect detach unlink unbind
login authenticate signin authorize
logout signout
register enroll subscribe sign signup
unsubscribe unregister
book reserve schedule order reservation appointment
schedule plan arrange organize calendar
order buy purchase acquire shop
pay purchase spend checkout
sell trade market
rent lease hire
hire recruit employ
learn study teach train educate
practice exercise train
play stream listen watch
write compose draft author type
rewrite rephrase paraphrase reword
correct fix repair resolve solve proofread
solve compute resolve answer
debug troubleshoot diagnose
answer reply respond
ask query question inquire
chat talk converse speak discuss
say tell speak announce
merge combine join unite concatenate
split divide separate cut partition
extract parse scrape pull
crop cut trim clip
resize scale shrink enlarge
compress zip archive pack minify
decompress unzip extract unpack
encrypt encode cipher
decrypt decode decipher
encode serialize
sort order rank arrange
group cluster categorize classify
classify categorize label tag identify
detect identify recognize find
identify recognize determine
crawl scrape spider
capture screenshot snapshot
click press tap
type enter fill input
scroll swipe
navigate go visit browse open
improve enhance optimize boost
reduce decrease lower minimize cut
increase raise grow
share invite collaborate
notify alert remind warn
remind reminder notify alarm
remember recall memorize store
approve accept allow confirm
reject decline deny refuse
assign allocate delegate
lock protect secure
unlock unprotect
backup restore recover
restore recover undo revert
rollback revert undo
commit save
sync synchronize refresh
refresh reload update renew
visualize plot chart graph draw
draw sketch paint illustrate
animate animation
eat dine dining
cook bake prepare
travel go visit fly
drive commute
invest trade
lose burn
heal treat cure
`
