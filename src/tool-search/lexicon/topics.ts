/**
 * Everyday words that point to a field: `words of the field: words that point to it`. One direction only, and weak:
 * "umbrella" asks for weather, but "weather" does not ask for umbrellas.
 */
export const topics = `
weather forecast: rain rainy raining snow snowy snowing sunny sunshine storm thunderstorm humid humidity windy wind cloudy umbrella hurricane tornado fahrenheit celsius degrees outdoors
air quality: smog pollution pollen allergy breathe
travel trip: itinerary vacation holiday getaway destination sightseeing tourist tourism abroad backpacking honeymoon cruise landmark attraction attractions visit visiting
flight airline: fly flying airport layover plane departure airfare boarding
hotel accommodation: stay staying hostel resort motel room night lodging overnight bedroom
restaurant food: eat eating dine dinner lunch breakfast brunch cuisine hungry bistro cafe vegan vegetarian sushi pizza italian menu
recipe cooking: cook bake ingredients ingredient dish meal dessert cake kitchen oven chicken pasta soup vegan vegetarian gluten
nutrition diet: calories calorie protein vitamin vitamins carbs fat healthy meal food eat weight
fitness workout exercise: gym muscle muscles cardio run running jogging strength abs yoga stretching marathon weight
health medical: symptom symptoms pain headache fever sick illness doctor disease allergic medication prescription blood pressure pregnant flu covid cough
mental therapy: anxiety anxious depressed depression stress stressed lonely burnout mindfulness meditation
drug medication: pill pills dosage prescription side pharmacy
finance stock: invest investing investment portfolio dividend shares ticker nasdaq earnings market trading etf fund bond bonds
stock market: apple tesla google microsoft amazon shares ticker nasdaq dow
crypto cryptocurrency: bitcoin ethereum dogecoin blockchain wallet token coin nft btc eth
currency exchange: dollar dollars euro euros yen pound pounds yuan usd eur convert
budget finance: saving savings spend spending expenses debt retirement afford
loan mortgage: borrow interest lender refinance
tax: irs deduction refund income
real estate property house: apartment rent rental condo mortgage neighborhood bedroom realtor landlord tenant listing listings buy home
job career: hiring hire interview resume salary occupation work opening openings vacancy employer profession cover
resume: cv cover interview
education course learning: learn study class degree tutorial beginner skill skills university college school curriculum lecture
research paper: scholarly academic citation citations literature scientific study studies journal arxiv
language translation: french spanish german chinese japanese korean italian english foreign translate meaning
dictionary word: synonym synonyms antonym pronunciation spell spelling definition means
grammar writing: essay proofread punctuation paragraph
music song: listen listening playlist singer band lyrics album artist tune tunes melody concert guitar piano rock jazz pop
playlist music: relax mood party
video: youtube watch clip vlog footage tiktok subtitle subtitles
movie film: watch actor actress director cinema comedy thriller imdb netflix theater oscar sequel
tv show: series episode season sitcom watch netflix anime
podcast: episode listen host
book: read reading novel author library bestseller fiction bibliography
news: headline headlines latest happening breaking today politics current
sport game: football basketball soccer baseball nba nfl tennis league championship team match score tournament olympics
game: play rpg puzzle chess minecraft adventure quest player level
chess: checkmate pawn bishop opening
quiz trivia: question test knowledge
joke humor: funny laugh
astrology horoscope: zodiac leo aries taurus gemini scorpio libra virgo capricorn aquarius pisces birth
tarot: fortune reading future
religion bible: god prayer verse church christian jesus spiritual sermon quran
gift: present birthday anniversary christmas surprise wife husband girlfriend boyfriend mom dad
shopping product: buy purchase price store brand cheap cheapest affordable order item discount laptop phone headphones
discount coupon: cheap cheaper save saving sale bargain promo deal
fashion clothing: wear outfit dress shirt shoes jeans style jacket sneakers
beauty: makeup skin skincare hair lipstick perfume
car vehicle: drive driving mileage dealer toyota bmw honda tesla ford sedan suv used
car rental: rent drive
parking: park garage
map location route: directions nearby near drive driving distance far navigate route closest nearest
transport transit: bus train subway metro commute station ticket schedule tram
electric charging: ev charger
pet animal: dog cat puppy kitten breed vet veterinary
plant garden: grow flower flowers seed tree soil watering
wine drink: bottle red white grape beer cocktail
home decor interior: furniture room sofa renovation remodel decorate
law legal: lawsuit court sue rights attorney contract liability regulation statute legislation
government public: congress senate bill law policy minister president
event ticket: concert festival show theater conference attend happening weekend
calendar schedule: appointment meeting remind tomorrow tonight week monday tuesday wednesday thursday friday saturday sunday
reminder alarm: remind forget wake
habit routine: goal goals daily productivity motivation discipline
note memory: remember forget jot
email: inbox newsletter gmail outlook subject
message chat: text whatsapp slack telegram talk discord
social media post: instagram twitter facebook tiktok linkedin hashtag followers viral tweet influencer caption
marketing advertising: campaign audience brand ads promote customers sales leads
seo keyword: ranking google traffic backlink website
website domain: webpage blog hosting landing register
web search: google look online internet find
web page scrape: website url link article site browse
url link: shorten website site
pdf document: paper file contract report summarize read
document file: word pdf page
presentation slide: powerpoint deck pitch
spreadsheet excel: csv rows columns cell cells sheet
chart visualization: bar line pie graph histogram trend plot dashboard
diagram flowchart: uml sequence mind mermaid architecture
image generation art: draw drawing picture paint illustration portrait photo sketch painting
logo design: brand icon
image photo: picture background resize crop selfie
speech voice audio: speak spoken aloud pronounce narrate
transcript transcription: recording subtitles caption meeting lecture
code programming: python javascript java function bug algorithm developer debug snippet compile typescript rust
repository github: commit branch repo merge fork
database query: sql postgres mysql table row mongodb select
server deployment: host hosting deploy cloud
container: docker image kubernetes pod
security vulnerability: hack hacked malware phishing breach exploit scam
password security: login protect hack
calculation math calculator: plus minus multiply divide sum square root percent arithmetic solve algebra geometry calculus integral derivative
statistics: mean median deviation variance regression probability correlation
unit conversion: kilometers miles meters feet inches pounds kilograms celsius fahrenheit liters gallons ounces
time timezone: clock zone hour now
date time: day today tomorrow
random: dice coin shuffle roll
space astronomy: nasa mars moon planet star galaxy telescope satellite asteroid
earthquake: seismic magnitude tremor
energy electricity: solar carbon emission battery power
environment climate: carbon emission sustainability recycle
chemistry: molecule compound reaction element periodic atom
biology: cell gene dna protein species
genetics gene: dna inherited mutation trait
physics: force gravity velocity acceleration motion energy mass
history: war century ancient president king empire battle historical medieval
geography country: capital population continent border
population demographics: census people
company business: startup ceo founder revenue competitor industry firm
customer sales: client lead crm
survey feedback: opinion poll rate
review rating: opinion best recommend worth
poem: rhyme verse love
story: fairy tale character bedtime
meme: funny caption viral
emoji: smiley
avatar character: persona cartoon
dating relationship: date love partner crush
wedding: bride marry
child education: kid kids toddler
astronaut space: rocket
delivery tracking: package parcel ship shipment ups fedex usps
order status: delivered track
phone call: dial number contact
weather travel: packing
prompt ai: chatgpt gpt midjourney
qr code: scan
museum art: painting exhibit gallery sculpture artist
`
