/** Function words of other languages: they tell the language of a query and are never search terms in it. */
export const foreignStopWords = {
  de: `der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war wird werden
    wurde hat haben habe kann können könnte möchte will soll muss mit von vom für auf aus bei beim nach zu zum zur im
    in an am um über unter durch ohne gegen wie was wer wo wann warum welche welcher welches ich du er sie es wir ihr mir mich dich
    mein meine meinen meiner dein deine sein seine unser als auch noch nur schon bitte gibt es dass wenn dieser diese dieses einer zwischen`,
  es: `el la los las un una unos unas y e o u pero no es son está están ser estar fue ha han hay puede puedo quiero
    necesito con de del para por en a al desde hasta sobre entre sin como cómo qué que cuál cuáles quién dónde cuándo yo tú él ella
    nosotros mi mis tu tus su sus me te se lo le les este esta estos estas ese esa más muy también ya si hace favor`,
  fr: `le la les un une des du de d l et ou mais ne pas est sont être a ont avoir peut peux veux voudrais avec pour par
    dans en sur sous au aux entre sans depuis comme comment que qui quoi quel quelle quels quelles où quand je tu il elle nous
    vous ils elles mon ma mes ton ta tes son sa ses notre votre leur ce cette ces plus très aussi si s n c y moi`,
  pt: `o a os as um uma uns umas e ou mas não é são está estão ser estar foi tem têm há pode posso quero preciso com de
    do da dos das para por pelo pela em no na nos nas ao aos à desde até sobre entre sem como que qual quais quem onde quando
    eu você ele ela nós meu minha seu sua me te se lhe este esta isto esse essa mais muito também já favor`,
  ru: `и или но не в во на с со к ко у о об от до для по из за над под при без через между как что кто где когда какой какая
    какие который я ты он она мы вы они мой моя мне меня мою его ее их это эта этот эти есть был быть можно нужно хочу`,
} as const

export type InflectedLanguage = keyof typeof foreignStopWords
