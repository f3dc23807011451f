/// The words by which the stand-in recognizes feelings.
enum FeelingWords {
  // MARK: Good

  static let praise: PhraseList = [
    // English.
    "love", "loved", "loves", "lovely", "loving", "adore*", "adorable", "amazing", "amazed",
    "awesome", "wonderful*", "fantastic*", "brilliant*", "superb*", "gorgeous*", "beautiful*",
    "stunning", "breathtaking", "magnificent*", "marvellous*", "marvelous*", "magic", "magical",
    "enchant*", "delight*", "perfect", "perfectly", "masterpiece*", "triumph", "best", "favourite*",
    "favorite*", "splendid*", "excellent*", "exquisite*", "incredibl*", "outstanding", "terrific",
    "thrilled", "overjoyed", "happier", "happiest", "so happy", "very happy", "made me happy",
    "proud", "proudly", "joy", "joyful", "pure gold", "treasure*", "gem", "hilarious*",
    "made me laugh", "made us laugh", "laughed out loud", "burst out laughing", "stop laughing",
    "made my day", "made my week", "made my year", "inspir*", "goosebumps", "gave me chills",
    "charming", "changed my life", "life-changing", "kindest", "kindness", "clearest", "finest",
    "sweetest", "funniest", "so sweet", "so kind", "very kind", "so funny", "so good", "so well",
    "this good", "that good", "delicious", "tastiest", "impressive", "impressed", "gasp", "gasped",
    "squealed", "speechless", "legend", "hero", "wizard", "well done", "worth every", "can't wait",
    "cannot wait", "cant wait", "looking forward", "look forward", "never been better",
    "never been happier", "blown away", "blew me away", "in awe", "mesmeris*", "mesmeriz*",
    "glorious*", "heavenly", "divine", "dream come true", "what a joy", "what a pleasure",
    "pleasure", "pleased", "warm-hearted", "heart-warming", "heartwarming", "moved me", "so moving",
    "touched me", "deeply touched", "genius", "flawless*", "works perfectly", "works like a charm",
    "works a treat", "nailed it", "helped me so", "helped so much", "saved my", "saved me",
    "saved our", "saved us", "would be lost without", "lost without you", "take back every", "yum*",
    "recommend", "told everyone", "told everybody", "never gets old", "still smiling", "grinning",
    "beaming", "smiled", "smiling", "hooked", "obsessed", "addicted", "fond", "affection",
    "congratulations", "congrats", "hooray", "hurray", "yay", "woohoo", "yesss*", "omg",
    // Others.
    "wunderbar*", "wunderschön*", "großartig*", "tolle*", "herrlich*", "fantastisch*",
    "begeister*", "liebe", "geliebt", "schönste*", "beste", "bester", "bestes", "freue", "gefreut",
    "glücklich*", "stolz", "genial*", "hammer", "spitze", "lieblings*", "klasse", "maravill*",
    "encant*", "increíble*", "precios*", "hermos*", "excelente*", "alegría", "feliz", "felices",
    "mejor", "genial", "emocion*", "orgullos*", "amo", "adoro", "magnifique*", "merveill*",
    "splend*", "superbe*", "formidable*", "adore", "bravo", "génial*", "heureu*", "joie", "ravi*",
    "meilleur*", "meravigli*", "bellissim*", "stupend*", "felic*", "splendid*", "fantastic*",
    "ottim*", "bravissim*", "lind*", "maravilh*", "incríve*", "melhor", "alegria", "adorei", "amei",
    "encantad*", "prachtig*", "geweldig*", "heerlijk*", "fantastisch", "gelukkig", "trots",
    "cudown*", "wspania*", "świetn*", "piękn*", "zachwyc*", "najleps*", "szczęśliw*", "kocham",
    "uwielbiam", "прекрасн*", "замечательн*", "чудов*", "восхит*", "обожа*", "лучш*", "люблю",
    "счастлив*", "щаслив*", "неймовірн*", "найкращ*", "harika", "muhteşem", "mükemmel", "bayıl*",
    "mutlu*", "güzel", "nefis", "ihana*", "upea*", "mahtava*", "iloinen", "onnellinen", "paras",
    "underbar*", "fantastisk*", "härlig*", "älskar", "vidunderlig*", "dejlig*", "elsker", "nydelig",
    "nzuri", "furaha", "nimefurahi", "napenda", "tuyệt*", "hạnh", "bagus", "hebat", "senang",
    "keren", "bahagia",
  ]
  static let praiseFragments: FragmentList = [
    // Arabic, Persian.
    "رائع", "جميل", "ممتاز", "أحب", "احب", "سعيد", "فرح", "مبدع", "مذهل", "ما شاء الله", "أفضل",
    "عالی",
    // Hindi.
    "शानदार", "बहुत अच्छ", "बढ़िया", "सुंदर", "खूबसूरत", "कमाल", "खुश", "मज़ा", "प्यार", "लाजवाब", "बेहतरीन",
    // Japanese, Chinese, Korean.
    "素晴らし", "すばらし", "最高", "大好き", "おいしい", "美味し", "嬉し", "うれし", "感動", "幸せ", "楽し", "笑顔", "喜び", "太棒",
    "喜欢", "好看", "精彩", "开心", "感動", "最好", "幸福", "好吃", "대박", "최고", "좋아", "행복", "감동", "사랑", "맛있", "멋지",
    "훌륭", "예쁘",
    // Thai.
    "อร่อย", "ดีมาก", "สวย", "ชอบ", "รัก", "สุดยอด", "ประทับใจ", "ดีใจ", "มีความสุข",
  ]

  /// Good words that are often said only from habit.
  static let mildPraise: PhraseList = [
    "nice", "nicer", "nicest", "good", "great", "cool", "glad", "happy", "like your", "like the",
    "like it", "i like", "really like", "appreciate*", "enjoy*", "interesting", "clear", "neat",
    "fun", "funny", "kind", "warm", "warmth", "thoughtful*", "respect", "laughed", "laugh",
    "laughing", "better", "works", "fan", "friendly", "sweet", "helpful", "tasty", "schön*",
    "nett", "buen*", "bonit*", "bien", "bon", "bonne", "belle", "beau", "bello", "bella", "bueno",
    "bene", "fijn", "leuk", "mooi", "dobr*", "хорош*", "iyi",
  ]

  /// Thanks for something that the writer received.
  static let thanks: PhraseList = [
    "thank you for", "thanks for", "thank you so", "thanks so much", "thank you from",
    "thanks to you", "thanks to your", "can't thank", "cannot thank", "able to thank",
    "thank you again", "thank you thank you", "thank you both", "thank you all", "many many thanks",
    "a thousand thanks", "thanks a million", "thanks a ton", "thank god for you", "bless you",
    "bless your", "god bless", "grateful", "gratitude", "thankful", "forever in your debt",
    "owe you", "danke für", "vielen dank für", "herzlichen dank", "tausend dank", "dankbar*",
    "danke dir", "gracias por", "mil gracias", "muchísimas gracias", "agradecid*", "merci pour",
    "mille mercis", "reconnaissan*", "grazie per", "grazie di cuore", "grazie mille",
    "obrigad* por",
    "obrigad* pel*", "muito obrigad*", "dankjewel voor", "bedankt voor", "dziękuję za", "dziękuję",
    "спасибо за", "спасибо", "дякую", "teşekkür*", "kiitos", "suuri kiitos", "tack för",
    "takk", "tak for", "asante", "cảm", "terima kasih", "biết ơn",
  ]
  static let thanksFragments: FragmentList = [
    "ありがとうござい", "ありがとう", "感謝", "谢谢你", "感谢", "감사합니다", "고마", "شكرا", "شكراً", "धन्यवाद", "आभार", "शुक्रिया",
    "ขอบคุณ",
  ]

  // MARK: Bad

  static let anger: PhraseList = [
    // English.
    "hate", "hated", "hates", "loathe*", "despise*", "awful*", "terrible", "terribly", "horrible",
    "horribly", "horrid", "dreadful*", "worst", "disgrace*", "disgust*", "disappoint*", "let down",
    "letdown", "let me down", "let us down", "angry", "anger", "angrier", "furious", "fuming",
    "livid", "rage", "raging", "cross", "annoy*", "irritat*", "frustrat*", "infuriat*", "fed up",
    "ignored", "useless", "rubbish", "rubish", "garbage", "trash", "crap", "crappy", "pathetic",
    "shame", "shameful*", "shameless*", "ashamed of you", "rip-off", "ripoff", "ripped off",
    "duped", "cheated", "cheat", "misled", "misleading", "deceiv*", "lied", "liar", "insult*",
    "rude", "rudely", "rudeness", "unacceptable", "appal*", "cruel", "cruelty", "nasty",
    "vile", "boring", "bored", "dull", "tedious", "meh", "sloppy", "careless*", "waste", "wasted",
    "wasting", "ridiculous*", "outrage*", "unfair*", "untrue", "dishonest*", "never again", "upset",
    "offend*", "offensive", "humiliat*", "irresponsible", "slap in the face", "ruin", "ruined",
    "ruining", "ruins", "disaster", "nightmare", "sick of", "tired of", "taken for a fool",
    "taken for fools", "sold out", "sellout", "not worth", "overpriced", "too expensive",
    "too dear", "hurt me", "hurts me", "that hurt", "hurtful", "it hurt", "unwelcome", "jeer*",
    "sneer*", "mocked", "mocking", "bully", "bullied", "arrogan*", "smug", "condescending",
    "shabby", "mess", "circus", "joke of a", "a joke", "stingy", "greedy", "greed", "money grab",
    "cash grab", "betray*", "regret", "wish i hadn't", "unbearable", "can't stand", "cannot stand",
    "can't stomach", "unforgivable", "inexcusable", "sad to see", "lost respect", "losing respect",
    "lost all respect", "stop pretending", "how dare", "not good enough", "shouted at",
    "yelling at", "yelled at", "yelled at us", "feel bad about", "like dirt", "ignorant",
    "grumpy", "sulking", "do better", "expected more", "expected better", "robbed",
    "scammed", "swindle*", "con artist", "unsubscrib*", "unfollow*", "lazy", "cheap trick",
    "it was better before", "used to be", "went downhill", "gone downhill", "falling asleep",
    "fell asleep", "snooze", "yawn*", "pointless", "disrespect*", "worthless", "unprofessional",
    // Others.
    "enttäusch*", "wütend", "ärger*", "verärgert", "schlecht*", "schrecklich", "furchtbar",
    "zumutung", "frechheit", "unverschämt*", "peinlich", "schade", "langweilig*", "mies*",
    "katastrophe", "nie wieder", "decepcion*", "decepción", "enfadad*", "enojad*", "molest*",
    "vergüenza", "horrible*", "pésim*", "estafa*", "indign*", "falta de respeto", "peor",
    "aburrid*", "triste", "déçu*", "décev*", "déception", "honte*", "colère", "furieu*", "nul",
    "nulle", "horrible", "scandal*", "arnaque*", "pire", "delus*", "arrabbiat*", "vergogn*",
    "pessim*", "terribil*", "schif*", "orribil*", "decepcionad*", "desilu*", "chatead*", "péssim*",
    "horrível", "desastre", "vergonha", "zangad*", "raiva", "teleurgesteld", "slecht",
    "schande", "verschrikkelijk", "zł*", "rozczarow*", "okropn*", "wściek*", "strat*", "błędn*",
    "wstyd", "разочаров*", "ужас*", "обман*", "зл*", "обидн*", "отврат*", "прикро", "розчаров*",
    "образлив*", "жахлив*", "berbat", "kırıldım", "kızgın", "rezalet", "üzgün", "üzüldüm", "kötü",
    "hayal kırıklığı", "pettyn*", "surkea*", "vihainen", "huono", "besviken", "besvik*",
    "dålig*", "skuff*", "vred", "hasira", "mbaya", "huzuni", "buồn", "giận", "tệ", "thất vọng",
    "kecewa", "marah", "buruk", "jelek", "parah",
  ]
  static let angerFragments: FragmentList = [
    "خيبة", "سيئ", "غاضب", "غضب", "للأسف", "محبط", "حزين", "ضيق", "مزعج", "عيب", "أسوأ", "बुरा", "गुस्सा",
    "निराश",
    "खराब", "ख़राब", "दुख", "शर्म", "धोखा", "बेकार", "नाराज़", "घटिया", "残念", "ひどい", "最悪", "がっかり", "つまらない", "怒",
    "失望", "悲し", "不満", "腹が立", "傷つ", "太差", "生气", "糟糕", "垃圾", "难过", "无聊", "欺骗", "실망", "화가", "최악", "짜증",
    "나쁘", "슬프",
    "속상", "별로", "แย่", "เสียใจ", "ผิดหวัง", "โกรธ", "โดนหลอก", "ไม่พอใจ", "เศร้า", "ห่วย",
  ]

  /// The writer's own trouble, for which no one is to blame.
  static let sorrow: PhraseList = [
    "died", "dies", "dying", "death", "passed away", "passing of", "buried", "funeral",
    "cancer", "tumour", "tumor", "ill", "illness", "hospital", "chemo", "cry", "crying", "cried",
    "weep*", "wept", "tears", "sad", "sadness", "sadly", "grief", "griev*", "lonely", "loneliness",
    "afraid", "scared", "scary", "terrified", "frightened", "fear", "fears", "anxious", "anxiety",
    "panic", "panicking", "heartbroken", "heartbreak", "depress*", "hopeless*", "despair*",
    "miscarriage", "divorce*", "lost my job", "lost my mother", "lost my father", "lost my dad",
    "lost my mum", "lost my mom", "lost my dog", "lost my cat", "put to sleep", "widow*",
    "worried", "worry", "ashamed", "miss him", "miss her", "miss them", "hurts so much", "stroke",
    "kidneys", "failing", "evicted", "fired", "laid off", "burnt out", "burnout", "can't sleep",
    "can't go on", "gestorben", "traurig", "angst", "weine*", "trauer*", "muerto", "murió",
    "falleció", "miedo", "lloro", "llorar", "llorando", "mort", "morte", "morto", "peur", "pleur*",
    "paura", "piang*", "morreu", "medo", "chor*", "umar*", "умер*", "страшно", "плач*", "öldü",
    "ağla*", "korku*", "kuoli", "itke*", "gråt*",
  ]
  static let sorrowFragments: FragmentList = [
    "توفي", "مات", "أبكي", "خائف", "मर गए", "गुज़र", "रो रह", "डर", "亡くな", "泣", "怖", "去世", "哭", "害怕",
    "죽", "울", "무서",
    "ร้องไห้", "กลัว", "เสียชีวิต",
  ]

  /// Things that went wrong for a customer, in neutral words.
  static let faults: PhraseList = [
    "broke", "broken", "breaks", "cracked", "crack", "chipped", "leaks", "leak", "leaked",
    "leaking", "torn", "snapped", "warped", "bent", "missing", "mould", "mouldy", "moldy", "rotten",
    "stale", "burnt", "never came", "never arrived", "never got", "hasn't arrived", "hasn't come",
    "has not arrived", "not arrived", "didn't arrive", "did not arrive", "still waiting",
    "still nothing", "still no", "no answer", "nobody answers", "nobody answered", "no reply",
    "there was no response", "not a word", "nobody replied", "no apology", "crash", "crashes",
    "crashed",
    "crashing", "freezes", "doesn't work", "does not work", "didn't work", "won't load",
    "wont load", "won't open", "won't start", "stopped working", "blank", "wrong colour",
    "wrong color", "wrong size", "the wrong", "faulty", "defect*", "damaged", "refund",
    "money back", "charged twice", "charged me twice", "charged me", "double charged",
    "overcharged", "sold separately", "second time", "third time", "fourth time", "third message",
    "second message", "lost my save", "lost my", "resets", "without warning", "no warning",
    "waited", "hours late", "minutes late", "weeks late", "days late", "days after it was promised",
    "was late", "too late", "overdue", "delayed", "cancelled on", "no show", "never turned up",
    "never showed", "left out", "ran out", "poor quality", "fell apart", "falls apart", "came off",
    "shrank", "faded", "stained", "too short", "too long", "too loud", "too quiet", "too small",
    "unusable", "unreadable", "can't read", "can't hear", "cannot hear", "inaudible", "out of sync",
    "promised", "was told", "kaputt", "defekt", "fehlt", "fehlen", "nie angekommen",
    "keine antwort",
    "ausgefallen", "verspätet", "roto", "rota", "no llegó", "nunca llegó", "sin respuesta",
    "devolución", "reembolso", "dos veces", "cassé*", "jamais reçu", "aucune réponse",
    "sans réponse",
    "remboursement", "rotto", "rotta", "mai arrivat*", "nessuna risposta", "senza risposta",
    "rimborso", "quebrad*", "nunca chegou", "ninguém respondeu", "reembolso", "kapot", "zepsut*",
    "сломан*", "не пришл*", "не отвеча*", "не відповіда*", "bozuk", "gelmedi", "rikki", "trasig*",
    "rusak",
  ]
  static let faultFragments: FragmentList = [
    "لم يصل", "مكسور", "बारिश में", "टूट", "नहीं आया", "नहीं मिला", "जवाब नहीं", "壊れ", "届か", "返事がない", "返信がない",
    "坏了", "没收到",
    "没有回复", "고장", "안 왔", "깨졌", "답이 없", "พัง", "เสีย", "ไม่ได้รับ", "ไม่ตอบ",
  ]

  // MARK: Manner

  /// Polite phrases.
  static let politeness: PhraseList = [
    "please", "thanks in advance", "thank you in advance", "many thanks", "thanks", "thank you",
    "kind regards", "best regards", "warm regards", "best wishes", "yours sincerely",
    "yours faithfully", "sincerely", "hope you're well", "hope you are well",
    "would you be so kind",
    "with all respect", "have a nice", "have a good", "have a great", "good morning", "good day",
    "good afternoon", "good evening", "be so kind", "be kind enough", "be glad to", "happy to",
    "guten tag", "guten morgen", "buenos días", "buenas tardes", "bonjour", "buongiorno", "danke",
    "bitte",
    "mit freundlichen grüßen", "gracias", "por favor", "saludos", "merci", "s'il vous plaît",
    "cordialement", "grazie", "per favore", "cordiali saluti", "obrigado", "obrigada",
  ]

  /// Words that introduce a contrast.
  static let contrast: PhraseList = [
    "but", "however", "though", "although", "yet", "except", "unfortunately", "pity", "still",
    "on the other hand", "that said", "all the same", "whereas", "even so", "aber", "allerdings",
    "jedoch", "leider", "nur", "pero", "sin embargo", "mais", "cependant", "en revanche", "ma",
    "però", "invece", "mas", "porém", "já", "maar", "jednak", "но", "однако", "але", "ama",
    "fakat", "mutta", "lakini", "nhưng", "tapi",
  ]

  /// Common openings of mock praise.
  static let mockery: PhraseList = [
    "ah yes", "oh great", "oh good", "oh wonderful", "oh perfect", "oh lovely", "oh joy", "oh wow",
    "wow thanks", "well done for", "bravo for", "bravo", "truly", "so educational", "so helpful",
    "just what i", "exactly what i", "thanks for nothing", "thanks a lot for", "what a treat",
    "lucky me", "lucky us", "how nice of", "how kind of", "how generous", "nice job", "great job",
    "slow clap", "congratulations on", "congrats on", "as if", "sure because", "because who needs",
    "who needs", "nothing says", "best nap", "genius move", "brilliant idea", "love how you",
    "love that you", "love waiting", "love paying", "na super", "na toll", "na bravo",
    "ganz großes kino", "herzlichen glückwunsch", "vielen dank auch", "qué maravilla", "qué bien",
    "enhorabuena", "super idée", "merci bien", "complimenti", "che bello", "parabéns",
    "hebat sekali",
    "unforgettable experience", "the glory of", "in all its glory", "real class", "classy",
  ]

  /// A mock complaint, which is a compliment.
  static let teasing: PhraseList = [
    "you owe me", "how dare you be", "how dare you", "curse you", "damn you", "you monster",
    "you menace", "absolute menace", "i hate you", "i blame you", "it's all your fault",
    "all your fault", "thanks to you i'm late", "deeply offended", "offensive to", "send help",
    "ruined me", "ruined my sleep", "ruined my diet", "ruined every other", "ruined all other",
    "my wallet", "couldn't stop listening", "couldn't stop watching", "couldn't put it down",
    "missed my stop", "forgot to get off", "burnt my", "burned my", "my neighbours",
  ]

  /// Phrases for a fault that is reported as a favor.
  static let helpfulNotes: PhraseList = [
    "just letting you know", "letting you know", "for your records", "for the next printing",
    "for the next edition", "typo", "typos", "dead link", "small correction", "tiny correction",
    "fyi", "for your information", "in case you", "in case it helps", "should say", "should be",
    "it should", "i think line", "in the template", "in the footer", "on line",
    "steps to reproduce",
    "bug report", "for the changelog", "no rush", "thought you'd want to know",
    "thought you should know", "tippfehler", "nur als hinweis", "errata", "coquille",
  ]

  static let leaving: PhraseList = [
    "cancel", "cancelled", "canceled", "cancelling", "canceling", "end my", "ending my",
    "end the", "unsubscribe", "leaving", "leave the", "quit my", "stop my", "stopping my",
    "close my", "delete my account", "kündige*", "kündigen", "dar de baja", "résili*", "disdire",
  ]
}
