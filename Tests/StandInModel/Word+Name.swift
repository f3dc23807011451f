extension Word {
  /// True if the word looks like a person's name: it is capitalized and is not a common first word
  /// of sentences.
  var isName: Bool {
    guard isCapitalised, text.allSatisfy({ $0.isLetter || $0 == "'" || $0 == "-" }),
      text.count > 1, written.count(where: \.isUppercase) == 1
    else { return false }
    if startsSentence { return !Self.openers.contains(stem) && WorkVerb.base(of: stem) == nil }
    return !Self.calendarWords.contains(text)
  }

  private static let calendarWords: Set<String> = [
    "i'll", "i'm", "i've", "i'd", "monday", "tuesday", "wednesday", "thursday", "friday",
    "saturday", "sunday", "january", "february", "march", "april", "may", "june", "july", "august",
    "september", "october", "november", "december", "english", "german", "android", "figma",
    "slack", "safari",
  ]

  private static let openers: Set<String> = Set(
    """
    a about after again all also an and another any anyone anything are as ask at aww back bad
    because before big both btw but by can could curious dear did do does don't done each enough
    every everybody everyone everything excellent few finally first fine for found from fwiw fyi
    getting good got great had haha happy has have heads hello here hey hi hmm how i i'd i'll i'm
    i've if in is isn't it it's its just kindly last lately let let's lol look looked looking looks
    lovely many maybe me meanwhile morning most much my never new next nice no nobody none not
    nothing now of off oh ok okay on once one only or ouch our perfect perhaps please pls point
    ps quick reminder right same see seen seriously shall she should since so some somebody someone
    sometimes somewhere soon sorry still stupid such sure thank thanks that that's the their them
    then there there's these they they're things this those though three thx to today tomorrow
    tonight totally two ugh unfortunately until update was we we'll we're we've welcome well were
    what what's when where which while who whose why will wish with without wonderful would wow yay
    yeah yes yesterday yet you you'll you're your he he'd he'll he's she's her his him ich du der
    die das ein eine bitte hallo danke kannst könntest können wir und el la los las un una por para
    gracias hola puedes bonjour salut je tu nous le les merci ciao moin
    """.split(whereSeparator: \.isWhitespace).map(String.init)
  )
}
