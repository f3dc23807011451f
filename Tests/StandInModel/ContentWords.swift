/// The distinction between content words and function words.
enum ContentWords {
  /// Returns true for a content word.
  static func contains(_ word: Word) -> Bool {
    word.text.contains { $0.isLetter || $0.isNumber } && !functionWords.contains(word.text)
      && !functionWords.contains(word.stem)
  }

  /// Returns the stems of a text's content words, without duplicates.
  static func stems(of words: some Sequence<Word>) -> Set<String> {
    Set(words.filter(contains).map { stem($0.text) })
  }

  /// Returns a word without a plural ending or a possessive.
  static func stem(_ word: String) -> String {
    let word = word.hasSuffix("'s") ? String(word.dropLast(2)) : word
    return word.count > 3 && word.hasSuffix("s") && !word.hasSuffix("ss")
      ? String(word.dropLast()) : word
  }

  /// Returns the share of words that two sets have in common (Dice 1945).
  static func likeness(_ first: Set<String>, _ second: Set<String>) -> Double {
    guard !first.isEmpty, !second.isEmpty else { return 0 }
    return 2 * Double(first.intersection(second).count) / Double(first.count + second.count)
  }

  private static let functionWords: Set<String> = Set(
    """
    a about actually after ah all almost already also always am an and another any anyone anything
    are aren't as at aww back be because been before being both but by can can't cannot could
    couldn't did didn't do does doesn't doing don't each either else enough even ever every few for
    from get gets getting give go goes going gone got had hadn't has hasn't have haven't he he's
    her here here's hers him his hm hmm how how's i i'd i'll i'm i've if in instead into is isn't it
    it'd it'll it's its itself just keep knows know known lets let let's like little lot made make
    makes many may maybe me mean means might mine more most much must my need needs neither never no
    nobody none nor not nothing now of off oh ok okay on once one only or other others our ours out
    over own perhaps phew please pls plz possible probably quite rather really right said same saw say
    says see seem seems shall she she's should shouldn't since so some somebody someone something
    soon still such sure take takes than thanks that that'd that's the their them then there there's
    these they they'd they'll they're they've thing things think this those though thought through to
    today together too tried try two ugh um under until up us use used very via want wants was wasn't
    way we we'd we'll we're we've well went were weren't what what's whatever when where whether which
    while who who's whose why will with within without won't would wouldn't wow yeah yep yes yet you
    you'd you'll you're you've your yours u ur haha hahaha lol thx ty hi hey hello morning

    aber alle als also am an auch auf aus bei bis bitte da dann das dass dem den der des die doch du
    ein eine einem einen einer er erst es etwas für ganz haben hat hätte ich ihr im in ist ja jetzt
    kann können mal man mehr mich mir mit moin nach nein nicht noch nur oder ob schon sein sich sie
    sind so soll sollen sollten um und uns unser von vor wann war wäre warum was wenn wer werden wie
    wir wird wo zu zum zur über

    al algo así aunque aún como con cuando de del dos el ella en entonces era eres es esa ese eso
    esta este esto está están estoy fue ha han hay hola la las le les lo los me mi más muy ni no nos
    o para pero por porque pues que quién qué se sea si sin sobre su sí también te tiene todo tu tú
    un una uno y ya yo

    ai au aussi aux avec bien bonjour ce cela ces cette c'est comme d dans de des du elle en est et
    eu il ils je j'ai l la le les leur lui ma mais mes moi mon même n'est ne non nos notre nous on
    ou où oui par pas plus pour qu que quel qui quoi sa se ses si son sont sur ta te toi ton tout tu
    un une va vos votre vous y à ça été être

    agora as até bom da das do dos e ela ele em então esse foi isso já mais mas na nas no nos não num
    numa os ou pela pelo pra qual quem são sem ser só tem um uma você é

    aur ab bhi hai hain ho hoon ka kar ke ki ko kya main me mein na nahi par se toh woh yeh haan ji
    sab sirf

    और का की के को में से है हैं हो था थी थे पर भी यह ये वह वो कि क्या नहीं तो ही हम मैं आप एक कर करें
    करना इस उस अभी या

    في من على إلى عن مع أن إن هذا هذه ذلك التي الذي ما لا لم لن هل أو أم ثم كما قد كان نحن أنا هو هي
    و يا إذن
    """.split(whereSeparator: \.isWhitespace).map(String.init)
  )
}
