/// The meanings that messages to creators ask about, one per line.
enum ThesaurusLines {
  static let text = """
    price! cost costs costing price* how-much expensive charge fee fees kostet kosten preis* cuesta cuánto cuanto precio* coûte combien prix costa quanto prezzo custa preço kost prijs kosztuje cena стоит цена коштує fiyat hinta maksaa kostar bei | कीमत कितने いくら 値段 料金 多少钱 얼마 كم سعر تكلفة ราคา
    discount! discount* reduction rebate cheaper sale coupon voucher rabatt ermäßig* descuento* réduction sconto* desconto* half-off | छूट 割引 할인 خصم ส่วนลด
    student student* studying studies faculty apprentice studier* estudi* étudi* uni university
    free gratis kostenlos gratuit* free-of | मुफ़्त 無料 مجان 무료
    trial trial try test trying testing probar essayer ausprobieren
    refund! refund* money-back cash-back return returning geld-zurück reembolso devolver rembours* rimborso | 返金 환불
    cancel! cancel* unsubscrib* quit leave leaving kündig* résili* disdire encerrar | 解約 해지 إلغاء
    pause! pause pausing freeze on-hold suspend pausieren suspender | 休止 일시
    ship! ship* postage parcel* deliver* delivery post posted send-to versand* liefer* envío* enví* spedi* expédi* livr* enviar entreg* verzend* wysył* | शिपिंग डाक 発送 送料 配送 배송 شحن
    country country abroad overseas europe eu uk norway canada brazil india australia switzerland mexico argentina japan africa america chile dubai
    when! when date wann cuándo cuando quand wanneer kiedy коли когда milloin när season | कब いつ 언제 متى เมื่อไร
    where! where wo dónde donde où dove onde waar gdzie де где somewhere anywhere find | कहाँ どこ 어디 أين ที่ไหน
    howlong! how-long duration last lasts minutes
    howmany! how-many
    language! language* english german french spanish castellano hindi japanese italian portuguese arabic inglés alemán englisch deutsch anglais | हिंदी अंग्रेज़ी 英語 영어
    dialect dialect egyptian egypt cairo levant jordan* quranic standard-arabic spoken amman beirut lebanon syria
    transcript! transcript* transkript* transcri* read-along mitlesen written-out gesprochene | 文字起こし
    caption! caption* subtitle* legendas untertitel subtítulos sous-titres deaf | कैप्शन 字幕 자막 सुन
    rules rule rules instructions reglas regeln règles regole manual
    book! book e-book ebook cookbook paperback buch libro livre livro | किताब 本は
    print! print printing printed printer imprimir drucken imprimer надрукувати
    scale full-size scale enlarge scaled size actual-size
    sizes! size sizes big-one large a3 a4 größe tamaño taille formato
    frame! frame framed frames unframed rahmen marco cadre
    download! download* beforehand offline
    link! link gone expired no-longer lost clicked valid re-download
    format! format mp3 wav flac file-type
    gear! gear equipment setup microphone mixer ausrüstung equipo
    tools! tools brush brushes pen pens ink draw-with tablet
    needed need-to equipment weights dumbbell* stuff nothing
    begin start begin* beginner* newcomer first-steps where-to anfangen anfäng* empezar commencer débutant* principiant* | शुरू 始め 처음 مبتدئ
    level level unit placement einstufung nivel niveau | यूनिट
    lessons! lesson* teach* class classes course courses learn kurs* clase* cours lezion* aula* unterricht | सिखा 教室 수업 دروس
    private private one-to one-on privat* particular*
    visit! visit* studio come-by drop-by drop-in besuch* visitar visiter katsomaan workshop | 見学 방문 زيارة
    dog! dog dogs spaniel puppy terrier poodle labrador hund hunde perro chien cane lead leash
    transport! bus train car station public-transport railway drive bahn tren
    oven! oven oveni stove hob ofen horno four gas | ओवन オーブン
    gluten gluten* coeliac celiac wheat-free
    flour! flour flours mąk* mehl harina farine farina wheat protein | आटा 小麦粉
    starter! starter sourdough fridge levain sauerteig madre
    dishwasher! dishwasher microwave spülmaschine lavavajillas
    broken broken pieces shattered smashed cracked shards snapped-in damaged kaputt roto cassé
    parts! parts part-is piece missing chewed ate lost-a torn
    players! players alone myself solo by-myself seven six-of player two-player
    tie! tie draw equal tied same-score
    expansion! expansion sequel extension erweiterung | एक्सपैंशन
    multiplayer! multiplayer co-op coop online-with together-with
    controller! controller gamepad joystick pad trigger buttons
    crash! crash* closes freezes black-window
    saves! save saves saved savegame progress
    platform! console* handheld switch playstation xbox phone* windows mac macbook linux android iphone ios ipad tv watch
    stream! stream streams streaming twitch live-stream
    video! video videos youtube
    monetise earn monetis* monetiz* ad-revenue
    licence! licence license copyright sample samples royalt* single song loop loops credit
    sell! sell selling sells stall fair market price-tag resell vender verkaufen vendre
    school! school schools university pupils classroom teacher lehrer schule escuela école slides | القسم تلاميذ 学校 授業
    avatar! avatar profile profilbild icon
    tattoo! tattoo* tätowier* tatuaje tatouage
    commission! commission* commissions auftrag encargo
    member! member* membership* mitglied* miembro membre archive bonus club
    gift! gift present geschenk regalo cadeau
    suggest! suggest* propose put-forward put-that vorschlag*
    sources! sources bibliography references papers cite quote quellen fuentes
    ads! advertis* sponsor* ad ads placement
    schedule! schedule come-out comes-out new-episode release
    grip grip weak-hands fingers hand hands stroke arthritis rheuma*
    certificate! certificate* zertifikat certificado certificat | प्रमाणपत्र
    patch! patch patches badge
    tracks! gpx track tracks garmin navigation route-file
    midges! midge* insect* bite* biting mosquito* mücken
    guide! guide guided guiding führ*
    units! inch inches metric millimet* mm cm feet pulgadas pouces zoll sensible-units milímetros millimètres
    finish! finish oil coat coats varnish
    furniture furniture finished-piece
    calendar! calendar kalender calendario calendrier
    settings! settings exposure shutter iso lens
    telescope! telescope binocular* | 망원경 双眼鏡
    demo! demo listen-to give-it
    restock! restock shop-update new-pieces next-update back-in
    reserve! reserve reserved reserving aside hold-the set-aside put-aside
    recommend! recommend* which-ones which-of best-for would-you-get
    apprentice apprentice* intern internship
    recording! record* recorded recordings replay
    payment! paypal upi card-details credit-card bank-transfer invoice zahlen
    children! child children kids toddler five-year eight-year kinder niños enfants
    """
}
