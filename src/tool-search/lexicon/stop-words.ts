function list(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** English function words: never search terms. Apostrophes separate words, so halves such as `don` and `ll` are here, too. */
export const stopWords = list(`
  a an the this that these those some any each every either neither both all such same other another
  i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself
  it its itself they them their theirs themselves one ones someone anyone something anything everything
  who whom whose which what when where why how whether
  am is are was were be been being do does did doing done have has had having
  can could may might must shall should will would cannot
  and or but nor so yet if then else than because while although though unless until since as
  of in on at by for with about against between into through during before after above below to from up down out off
  over under again further once here there upon within without via per across along around toward towards among
  not no only own too very just also even still already ever never quite rather really actually maybe perhaps
  more most less least much many few several lot lots
  s t d ll m re ve don didn doesn isn aren wasn weren won couldn wouldn shouldn hasn haven hadn ain
  please kindly thanks thank hi hello hey ok okay yes dear
  etc eg ie let lets
`)

/** Words of a request that say little about the tool: they count, but for less. */
export const weakWords = list(`
  help need needs needed want wants wanted like likes would love wish tell know give gives given looking look
  able possible good best great new now currently interested trying try going go make sure way ways thing things
  using use used user users based specific provide provides provided following certain different various
  information info details detail data tool tools app application
  assist assistance recommend suggest suggestions suggestion recommendation recommendations
  curious wondering think see get find show
  today tomorrow yesterday tonight latest recent recently upcoming week month year day days time times
`)
