/** Forms of one word that the stemmer keeps apart, one word a line: irregular verbs and plurals, words made of it, British spellings. */
export const wordForms = `
buy bought
sell sold sale
send sent
find found
pay paid payment
write wrote written writer
speak spoke spoken speaker speech
take took taken
give gave given
go went gone
make made maker
build built
keep kept
hear heard
meet met
lose lost loss
think thought
teach taught
catch caught
bring brought
choose chose chosen choice
drive drove driven
ride rode ridden
fly flew flown flight
eat ate eaten
drink drank drunk
sing sang sung
draw drew drawn
grow grew grown growth
know knew known knowledge
throw threw thrown
break broke broken
steal stole stolen theft
win won winner
run ran runner
begin began begun
swim swam swum
spend spent
lend lent
weigh weight
live life
die death dead
feel felt
tell told
convert conversion
multiply multiplication
divide division divisor
differentiate derivative
analyze analyse analysis analytics analyst
discover discovery discoverer
describe description
subscribe subscription
receive receipt
identify identification
verify verification
notify notification
classify classification
modify modification
certify certification
qualify qualification
summarize summary summarise
optimize optimise optimum
organize organise
authorize authorise
minimize minimise minimum
maximize maximise maximum
categorize categorise category
prioritize prioritise priority
customize customise
visualize visualise
synchronize synchronise
normalize normalise
solve solution solver
resolve resolution
expand expansion
extend extension
permit permission
transmit transmission
submit submission
produce production
register registry registration
deep depth
long length
wide width
high height
strong strength
warm warmth
hot heat
private privacy
gravity gravitational
mathematics math
history historical
economy economic
medicine medical
center centre central
circle circular
triangle triangular
rectangle rectangular
sphere spherical
child children
man men
woman women
foot feet
tooth teeth
mouse mice
index indices
matrix matrices
vertex vertices
criterion criteria
color colour
favorite favourite
theater theatre
meter metre
liter litre
kilometer kilometre
gray grey
catalog catalogue
program programme
license licence
jewelry jewellery
neighbor neighbour neighborhood neighbourhood
behavior behaviour
`
