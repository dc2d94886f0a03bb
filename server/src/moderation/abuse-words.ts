/**
 * Insults and hatred that other people are spared, by language. They are few and unmistakable on purpose: published lists
 * of obscene words also hold words of the body and of everyday talk, and adults may swear. `*` at the end: any ending
 * may follow.
 */
export const insults: Readonly<Record<string, readonly string[]>> = {
  ar: "شرموطة|شرموط|قحبة|القحبة|عاهرة|العاهرة|منيوك|متناك|متناكة|كس امك|كسمك|كس أمك|ابن القحبة|ابن الشرموطة|ابن الكلب|يا خول|يا عرص|لبوة".split(
    "|",
  ),
  tr: "orospu*|siktir*|sikerim|sikeyim|amcık*|amına*|amk|aminakoyim|göt veren|götveren*|piç|piçler|yavşak*|kahpe*|pezevenk*|yarrak*|gavat*|ibne*".split(
    "|",
  ),
  id: "kontol*|memek*|ngentot*|ngewe*|jancok|jancuk|lonte*|pelacur*|bangsat|keparat|pukimak".split("|"),
  ms: "pukimak*|lancau|sundal*|babi kau|kepala bapak".split("|"),
  vi: "địt mẹ|dit me may|đụ má|đụ mẹ|con đĩ|đồ đĩ|thằng chó|óc chó".split("|"),
  ru: "сука|суки|сучка|блядь|бляди|хуй*|хуе*|пизд*|ебан*|ёбан*|еблан*|пидор*|пидар*|шлюх*|гандон*|мудак*|уебок|уёбок|выблядок|suka blyad*|pidor*".split(
    "|",
  ),
  uk: "курва*|підар*|підор*|хуйло|хуйн*|їбан*|йобан*|шльондр*".split("|"),
  es: "hijo de puta|hija de puta|hijueputa|puta|putas|puto|maricón*|maricon*|gilipollas|zorra de mierda".split("|"),
  pt: "filho da puta|filha da puta|puta|putas|piranha de merda|vai se foder|arrombado|vadia".split("|"),
  fr: "fils de pute|pute|putes|salope*|connasse*|enculé*|encule*|sale pute|ntm".split("|"),
  de: "hurensohn*|fotze*|schlampe*|nutte*|arschloch|wichser|missgeburt*|kanake*".split("|"),
  it: "puttana|puttane|troia di merda|figlio di puttana|stronza di merda|frocio*".split("|"),
  pl: "kurwa|kurwy|skurwysyn*|spierdalaj|pierdol się|dziwka*|szmata jebana".split("|"),
  nl: "kankerhoer*|hoerenzoon*|kutwijf*|kankerhond*".split("|"),
  da: "luder|luderunge|kælling".split("|"),
  hi: "madarchod*|maderchod*|behenchod*|bhenchod*|chutiya*|randi|gandu|bhosdi*|harami|मादरचोद*|बहनचोद*|भोसड़ी*|चूतिया*|रंडी|गांडू".split(
    "|",
  ),
  ur: "مادرچود|بہن چود|رنڈی|گانڈو|بھوسڑی".split("|"),
  fil: "putang ina*|putangina*|tangina*|tang ina*|pokpok|puta ka|kantutin".split("|"),
  az: "qəhbə*|oğraş*|sikdir*|peysər*|gijdıllaq*".split("|"),
  uz: "jalab*|onangni|onengni|qo'toq*|qotoq*|қўтоқ*|жалаб*".split("|"),
  el: "πουτάνα|πουτανα|καριόλα|καριολα|γαμώ τη μάνα|μουνόπανο|αρχίδι".split("|"),
};

/** The same for languages that put no space between words: found anywhere. */
export const insultsUnspaced: readonly string[] = [
  ..."傻逼|傻屄|煞笔|沙比|操你妈|草泥马|操你|肏你|日你妈|干你娘|幹你娘|婊子|贱人|賤人|贱货|骚货|骚逼|荡妇|狗日的|死全家|妈逼|支那猪|臭三八".split(
    "|",
  ),
  ..."まんこ|ちんこ|ヤリマン|くたばれ|きちがい".split("|"),
  ..."씨발|씨빨|개새끼|병신새끼|좆|창녀|썅년|걸레년".split("|"),
  ..."เย็ดแม่|ควย|อีดอก|กะหรี่|อีสัตว์".split("|"),
];

/** Words of the English list that are meant here; the others are words of the body, or mere swearing. */
export const englishInsults: ReadonlySet<string> = new Set(
  "nigger fag tranny retard whore slut bitch cunt kike chink spick dyke twat rape".split(" "),
);

/** Threats and calls to self-harm: such a line reaches nobody. */
export const threats: readonly string[] = [
  ..."kill yourself|kill urself|kys|hang yourself|i will rape|i'll rape|ill rape|gonna rape|i will kill you|i'll kill you".split(
    "|",
  ),
  ..."اقتل نفسك|اقتلي نفسك|انتحر يا|انتحري|سأغتصبك|راح اغتصبك|سأقتلك|هقتلك".split("|"),
  ..."kendini öldür|kendini as|sana tecavüz|seni öldürürüm|seni öldüreceğim|geber it".split("|"),
  ..."bunuh diri aja|bunuh diri saja|mending mati|gue perkosa|aku perkosa|gue bunuh lu|kubunuh kau".split("|"),
  ..."убей себя|убью тебя|изнасилую".split("|"),
  ..."mátate|te voy a violar|te voy a matar|se mata logo|vou te estuprar|vou te matar".split("|"),
];
export const threatsUnspaced: readonly string[] = [
  ..."去自杀|快去死|强奸你|強姦你|轮奸你|弄死你|杀了你|殺了你".split("|"),
  ..."死ねよ|殺すぞ|자살해|죽여버린다|강간할".split("|"),
];

/** Asking for nudity or for paid sex. */
export const solicitations: readonly string[] = [
  ..."send nudes|send nude|show boobs|show your boobs|show me your boobs|show tits|show me your tits|show your tits|show pussy|show me your pussy|show your pussy|show dick|show your dick|take off your clothes|take your clothes off|take off your bra|take off your shirt|get naked|sex for money|how much for sex|pay for sex".split(
    "|",
  ),
  ..."اخلعي ملابسك|اخلعي هدومك|اقلعي هدومك|وريني جسمك|وريني صدرك|صور عارية".split("|"),
  ..."soyun|soyunsana|memeni göster|memelerini göster|çıplak foto|nude at|nude atsana|götünü göster".split("|"),
  ..."buka baju|buka bajumu|pap bugil|foto bugil|telanjang dong|open bo|vcs yuk|vcs dong|kirim pap toket".split("|"),
  ..."разденься|покажи сиськи|покажи письку|кинь нюдсы".split("|"),
  ..."manda nudes|mandame nudes|muestra las tetas|enséñame las tetas|quítate la ropa|mostra os peitos|tira a roupa".split(
    "|",
  ),
];
export const solicitationsUnspaced: readonly string[] = [
  ..."脱光|脱衣服|看看胸|看奶|露奶|露点|裸聊|约炮|包夜|发裸照".split("|"),
  ..."おっぱい見せて|裸見せて|脱いで|벗어봐|가슴 보여|โชว์นม".split("|"),
];

/*
 * Threats and hate against groups of people, by language, as patterns over folded text: a space stands for the signs
 * between two words. A verb or a judgement must stand beside a group of people, so that nobody is stopped for killing
 * time, mosquitoes or monsters. What is only rude is none of this.
 */

/** Groups that people belong to by what they are or believe; those of one word that is nothing else. */
const peoples =
  "jews|muslims|moslems|christians|catholics|hindus|sikhs|buddhists|blacks|whites|asians|africans|arabs|turks|kurds|armenians|greeks|russians|ukrainians|koreans|indians|pakistanis|bangladeshis|mexicans|latinos|immigrants|migrants|refugees|foreigners|gays|lesbians|homosexuals|transgenders|trannies|queers|gypsies|israelis|palestinians|americans|germans|syrians|afghans|iranians|infidels|kafirs|negroes";
const adjectives =
  "black|white|brown|asian|african|arab|turkish|kurdish|jewish|muslim|christian|hindu|indian|chinese|japanese|korean|mexican|latino|gay|lesbian|homosexual|trans|transgender|lgbt|queer|disabled|handicapped|russian|ukrainian|french|german|palestinian|israeli";
const crowd = "people|men|women|girls|boys|guys|kids|children|folks|persons";
const hated = `(?:${peoples}|(?:${adjectives}) (?:${crowd})|(?:chinese|japanese|french|lgbtq?)(?=\\s{0,2}(?:$|[.!?,])))`;
/** Also those who are hated in jest, which only a threat of death is not. */
const threatened = `(?:${hated}|women|men|girls|boys|kids|children|babies|females|cops|policemen)`;
const kill =
  "kill|murder|shoot|gas|hang|burn|exterminate|eliminate|behead|slaughter|lynch|bomb|rape|stab|execute|eradicate|wipe out";
/** Who tells of others wants nothing: "they wanted to kill all", "never kill". */
const notTold = "(?<!(?:wanted|tried|planned|ordered|not|never|don'?t|nobody can|who) (?:to )?)";

const englishHate: readonly string[] = [
  `${notTold}(?:${kill}) (?:all|every|each|any|these|those)(?: of)?(?: the| these| those| you| fucking| damn| filthy| dirty){0,2} ${threatened}`,
  `${notTold}(?:kill|gas|exterminate|behead|lynch|murder|slaughter)(?: the| those| these) (?:fucking |damn |filthy |dirty )?${hated}`,
  `${hated} (?:should|must|shall|need to|have to|deserve to|deserves to|ought to|gotta)(?: all| just){0,2} (?:die|be (?:killed|shot|gassed|exterminated|hanged|burned|burnt|raped|wiped out))`,
  `${notTold}(?:${kill}) (?:every|each|any)(?: single| fucking)? (?:jew|muslim|christian|hindu|sikh|black|arab|turk|kurd|gay|lesbian|immigrant|migrant|refugee|foreigner|woman|mexican|indian|asian|african|armenian|russian)`,
  `all (?:women|girls|men|boys|cops|females) (?:should|must|shall|deserve to|need to) (?:die|be (?:killed|shot|raped|hanged))`,
  `(?:women|girls|kids|children|babies) (?:should|must|deserve to) (?:all )?(?:die|be (?:killed|raped|shot))`,
  `death to (?:all )?(?:the )?(?:${hated}|women|america|israel)`,
  `(?:i|we)(?: really| fucking| just| so| truly){0,2} (?:hate|despise|loathe)(?: all| every| the| those| these| fucking){0,3} ${hated}`,
  `fuck (?:all )?(?:the |those |these |you )?(?:${peoples})`,
  `${hated} (?:are|r)(?: all| just| nothing but| like| such| fucking| filthy){0,2} (?:animals|vermin|subhumans?|rats|cockroaches|roaches|parasites|filth|filthy|scum|trash|garbage|monkeys|apes|pigs|dirty|disgusting|inferior|terrorists|criminals|rapists|a plague|a disease|a cancer|not human|not people)`,
  "hitler was right|heil hitler|sieg heil|gas chambers? for",
  "(?:i|we)(?: will|'?ll| am going to|'?m going to|'?m gonna| gonna| wanna| want to| am gonna)(?: find you and| come and)? (?:kill|murder|rape|behead|stab|strangle|butcher) (?:you|u|ya|your (?:family|mom|mother|wife|kids|children|sister|girlfriend)|ur (?:family|mom|kids))",
  "find (?:you|u) and (?:kill|rape|hurt|beat)",
  "(?:i )?hope (?:you|u)(?: all)? (?:die|get raped|get cancer|get killed|rot in hell)",
  "(?:you|u) (?:should|must|deserve to) (?:die|be raped|be killed|kill (?:yourself|urself))",
  "go (?:and )?(?:kill|hang|shoot) (?:yourself|urself)|end your life|unalive yourself",
];

const turkishHated =
  "(?:yahudi|ermeni|kürt|arap|suriyeli|afgan|mülteci|göçmen|sığınmacı|eşcinsel|gey|lezbiyen|travesti|müslüman|hristiyan|hıristiyan|alevi|sünni|rum|yunan|çingene|zenci|siyahi|rus|kafir|gavur|türk|iranlı|pakistanlı)";
const turkishThreatened = `(?:${turkishHated}|kadın|kız|erkek|çocuk|yabancı)`;
const turkishHate: readonly string[] = [
  `${turkishThreatened}l(?:er|ar)ı(?: hepsini| tek tek| toptan)? (?:öldür(?:ün|elim|eceğim|eceğiz|meliyiz|meli|mek (?:lazım|gerek|gerekir))|gebert(?:in|elim|eceğiz|meli)|katled(?:in|elim)|yok (?:edin|edelim|etmeliyiz|etmeli|etmek lazım)|asalım|yakalım|kurşuna dizin)`,
  `${turkishThreatened}l(?:er|ar)(?: hepsi)? (?:ölsün|gebersin|ölmeli|yok olsun|yok edilmeli|öldürülmeli|asılmalı|yakılmalı)`,
  `${turkishThreatened}l(?:ere|ara) ölüm`,
  `kahrolsun ${turkishHated}l(?:er|ar)`,
  `${turkishHated}l(?:erden|ardan) (?:nefret ediyorum|nefret ederim|iğreniyorum|tiksiniyorum)`,
  `(?:bütün|tüm) ${turkishHated}l(?:er|ar) (?:köpek|domuz|pislik|terörist|hayvan|aşağılık|böcek)(?:t[iı]r|tür)?`,
  "(?:seni|sizi|aileni|anneni)(?: bulup| bulacağım| bulup da)? (?:öldürece(?:ğim|m)|öldürcem|öldürücem|öldürürüm|geberteceğim|gebertirim|gebertcem|bıçaklarım|bıçaklayacağım|tecavüz ede(?:ceğim|rim))",
  "umarım (?:ölürsün|gebersin|geberirsin)|git kendini (?:as|öldür)|ölmeyi hak ediyorsun",
];

const indonesianHated =
  "(?:cina|china|tionghoa|kristen|katolik|islam|muslim|yahudi|hindu|buddha|budha|papua|batak|jawa|sunda|madura|dayak|arab|rohingya|imigran|pengungsi|gay|lesbian|lgbt|homo|banci|bencong|waria|transgender|kafir|negro|ahmadiyah|syiah|kulit hitam|asing)";
const indonesianThreatened = `(?:${indonesianHated}|wanita|perempuan|cewek|laki-laki|cowok|anak kecil|polisi)`;
const indonesianHate: readonly string[] = [
  `(?:bunuh|habisi|bantai|basmi|musnahkan|bakar|gantung|penggal|perkosa|ganyang) (?:semua|seluruh|para)(?: orang| kaum| umat){0,2} ${indonesianThreatened}`,
  `(?:bunuh|bantai|basmi|musnahkan|penggal|ganyang) (?:orang|kaum|umat)(?: orang)? ${indonesianHated}`,
  `(?:orang|kaum|umat|semua)(?: orang)? ${indonesianThreatened} (?:itu )?(?:harus|mesti|wajib|pantas|layak)(?: semua)? (?:mati|dibunuh|dibantai|dimusnahkan|dibasmi|mampus|dibakar|diperkosa)`,
  `(?:matilah|mampuslah|mampus)(?: kalian)?(?: semua)? (?:orang|kaum|umat) ${indonesianHated}`,
  `(?:aku|saya|gue|gua|gw|kami|kita)(?: sangat| paling| emang){0,2} (?:benci|jijik)(?: sama| dengan| pada)?(?: semua)? (?:orang|kaum|umat) ${indonesianHated}`,
  `(?:orang|kaum|umat) ${indonesianHated} (?:monyet|(?:itu |emang |memang )(?:anjing|babi|binatang|monyet|sampah|najis|teroris))`,
  "(?:aku|saya|gue|gua|gw)(?: akan| bakal| mau| ingin)? (?:bunuh|membunuh|perkosa|memperkosa|bantai|habisi|penggal) (?:kamu|kau|lu|lo|elu|loe|kalian|keluargamu|keluarga (?:kamu|lu|lo))",
  "kubunuh (?:kamu|kau|lu|lo)|semoga (?:kamu|kau|lu|lo) (?:mati|mampus)|mati aja (?:kamu|kau|lu|lo)",
];

/** Folded as the text is: one alif, ha for the closing t, ya for its undotted form. */
const arabicNames =
  "يهود|مسلمين|مسلمون|مسيحيين|نصارى|شيعه|اكراد|عرب|سود|عبيد|مثليين|شواذ|لاجئين|اجانب|هنود|اتراك|سوريين|فلسطينيين|مصريين|عراقيين|افارقه|كفار|مهاجرين|روافض|ايزيديين|اقباط|هندوس|روس";
const arabicHated = `ال(?:${arabicNames})`;
const arabicThreatened = `ال(?:${arabicNames}|نساء|بنات|رجال|اطفال)`;
const arabicHate: readonly string[] = [
  `(?:اقتلوا|اقتل|سنقتل|اذبحوا|نذبح|ابيدوا|احرقوا|اغتصبوا|اشنقوا|اسحقوا) (?:كل |جميع )?${arabicThreatened}`,
  `(?:يجب|لازم|لا بد من) (?:قتل|اباده|ذبح|حرق|نقتل|نذبح|نحرق|شنق) (?:كل |جميع )?${arabicThreatened}`,
  `الموت (?:لكل |لجميع )?(?:${arabicThreatened}|لل(?:${arabicNames}|نساء))`,
  `${arabicThreatened} (?:كلهم )?(?:لازم|يجب ان|يستحقون) (?:يموتوا|يموتون|يقتلوا|يبادوا|الموت|القتل)`,
  `(?:انا )?(?:اكره|بكره|نكره) (?:كل |جميع )?${arabicHated}`,
  `${arabicHated} (?:كلهم )?(?:كلاب|خنازير|قرده|حيوانات|قذرين|انجاس|حشرات|ارهابيين|ارهابيون)`,
  "(?:سوف|راح|رح|بدي|ابي|عايز) (?:اقتلك|اذبحك|اغتصبك)|ساقتلك|ساذبحك|ساغتصبك|هقتلك|هدبحك|هذبحك|هغتصبك|حقتلك|بقتلك|اتمني (?:ان )?تموت|روح موت|روحي موتي",
];

const chineseHated =
  "(?:黑人|白人|犹太人|猶太人|穆斯林|回民|回族|维族人?|维吾尔人|藏人|藏族人?|日本人|韩国人|美国人|中国人|印度人|俄罗斯人|台湾人|香港人|外国人|外地人|同性恋|基佬|变性人|残疾人|基督徒|难民|移民|非洲人|阿拉伯人|黑鬼)";
const chineseThreatened = `(?:${chineseHated}|女人|女性|女的|男人|男性|孩子|小孩|儿童|老人|警察)`;
const all = "(?:所有的?|全部的?|一切|全体|这些|那些|每一?个|光|尽)";

export const hatePhrases: readonly string[] = [...englishHate, ...turkishHate, ...indonesianHate, ...arabicHate];

/** The same for Chinese, which puts no space between words: found anywhere. */
export const hatePhrasesUnspaced: readonly string[] = [
  `(?:杀光|殺光|屠光|灭绝|屠杀|烧死|毒死|炸死|枪毙|强奸|轮奸)${all}?${chineseThreatened}`,
  `(?:杀死|杀掉|弄死|干掉|消灭|宰了|杀)${all}${chineseThreatened}`,
  `把${all}?${chineseThreatened}(?:们)?(?:全部|全都|统统|都|全)?(?:杀了|杀光|杀掉|弄死|烧死|枪毙|灭了)`,
  `${chineseThreatened}(?:们)?(?:全部|全都|统统|都|全)?(?:该死|去死|应该去死|死光|死绝|不配活)`,
  `${chineseHated}(?:们)?(?:全部|全都|统统|都|全)?是(?:垃圾|畜生|猪|狗|蟑螂|人渣|劣等人?|害虫)`,
  `我们?(?:最|很|真|超|特别|真的){0,2}(?:讨厌|恨|憎恨|厌恶|恶心)${all}?${chineseHated}`,
  "我(?:要|会|一定)(?:会|要)?(?:杀了|弄死|捅死|强奸|砍死|掐死|打死)[你妳]|希望[你妳]去死|[你妳]怎么不去死|[你妳]去死吧",
];

/*
 * Selling sex, paying for nudity and asking for sexual pictures, by language, as patterns over folded text: a space
 * stands for the signs between two words. What is asked for must be named, so that nobody is stopped for asking for a
 * picture, a price or a night's sleep.
 */

const parts =
  "boobs?|boobies|tits?|titties|titty|breasts|pussy|vagina|ass|butt|booty|dick|cock|penis|nipples?|nips|bra|panties|underwear|naked body|private parts?|privates|genitals|nude body";
const nudes =
  "nudes|(?:nude|naked|sexy|naughty|dirty|spicy|sexual|topless|explicit|xxx|porn|sex|intimate|erotic)(?: nude| naked)? (?:pics?|photos?|pictures?|selfies?|videos?|vids?|snaps?|images?)|dick ?pics?|pussy ?pics?|tit ?pics?";
const asking =
  "send|show|share|give|trade|swap|exchange|drop|dm|text|snap|got|want|wanna see|want to see|need|sell|selling|buy|buying|can i see|can i get|let me see|lemme see|have any";
const few = "(?: (?:me|us|him|ur|your|yours|my|some|any|a|an|more|few|the|of|those|them|hot|real|good|free|paid)){0,4}";
const clothes =
  "clothes?|shirt|t-?shirt|top|bra|pants|panties|underwear|dress|skirt|jeans|shorts|trousers|boxers|blouse";
const money = "money|cash|beans|coins|gifts?|dollars|bucks|usd|euros?|pay|sale|paypal|crypto|bitcoin";

const englishSolicitation: readonly string[] = [
  `(?:${asking})${few} (?:${nudes})`,
  `(?:send|show|flash|touch|lick|suck|let me see|lemme see|wanna see|want to see|can i see)(?: me| us)? (?:your|ur|ya|those|them)(?: sexy| hot| big| nice| naked| bare| wet| little| beautiful){0,2} (?:${parts})`,
  `(?:pics?|photos?|pictures?|videos?|vids?|selfies?) of (?:your|ur|you)(?: sexy| hot| big| nice| naked| bare){0,2} (?:${parts}|naked|nude|undressed|without clothes)`,
  `(?:take|pull) off (?:all )?(?:your|ur|of your) (?:${clothes})|(?:take|pull) (?:your|ur) (?:${clothes})(?: all)? off|remove (?:your|ur) (?:${clothes})`,
  "(?:strip|undress|get naked|get nude|go naked|masturbate|touch yourself|finger yourself|jerk off|moan)(?: naked)? (?:for|with|on) (?:me|us|cam|camera)",
  "(?:cam|cyber|phone|webcam|skype) ?sex|sex ?(?:chat|cam|call)|wanna sext|want to sext|(?:you wanna|u wanna|wanna|let'?s|can we|do you want to|want to) (?:have sex with (?:me|you|u)|fuck(?! (?:around|up|off|it|this|that|with|him|her|them|over))|jerk off|masturbate)",
  `(?:sell|selling|buy|buying|pay|paying|paid|pay you|pay u|pay me|price|prices|rate|rates|cash|money|how much|how much is|how much are|(?:${money}))(?: for)?(?: (?:my|your|ur|some|me|a|of|hot|private|the|more)){0,3} (?:${nudes}|a nude(?=\\s{0,2}(?:$|[.!?,]))|nude show|naked show|sex show|private show|cam ?show|sex(?! (?:education|ed|life|lives|toys?|change|offenders?|workers?|therap\\p{L}{1,6}))|blow ?jobs?|bj|hand ?jobs?|virginity|onlyfans)`,
  `(?:${nudes}|sex|blow ?job|cam ?show|virginity) (?:for|4) (?:\\d{1,6}(?! (?:minutes|hours|days|weeks|months|years))|${money})`,
  `(?:sex|nudes|strip|undress|get naked|naked)(?: for)? \\d{1,6} ?(?:${money})`,
  "sell(?:ing)? my (?:body|virginity|panties|used panties|underwear)|how much (?:for|is) (?:a|one|1) night with (?:you|u|me)|how much for (?:your|ur) body",
  "(?:i am|i'?m|im) an? (?:escort|prostitute|hooker|call ?girl|cam ?girl)|(?:escorts?|sexual|sex|erotic) services?|escorts? available|call ?girls? (?:available|service|here)|(?:in|out)calls? available|massage with (?:a )?happy ending|happy ending massage",
  "(?:my|on|check|subscribe|join|see|follow)(?: out| to| on| me){0,2}(?: my)? (?:only ?fans|fansly)",
];

const turkishSolicitation: readonly string[] = [
  "(?:çıplak|nü|seksi|üstsüz|ifşa|müstehcen)(?: bir)? (?:foto|resim|resm|video|poz|görüntü|fotoğraf|selfie)\\p{L}{0,8}(?: bana| lütfen| bir){0,2} (?:at|gönder|yolla|var mı|sat|paylaş|göster|iste)\\p{L}{0,10}",
  "nude(?:s|larını|lar|ün|ünü)? (?:at|gönder|yolla|var mı|sat|satıyorum|satan|alırım|istiyorum|paylaş)\\p{L}{0,8}",
  "(?:memeni|memelerini|göğsünü|göğüslerini|götünü|kalçanı|kalçalarını|amını|sikini|çükünü|çıplak halini|kilodunu|külotunu|sütyenini|iç çamaşırını|vücudunu çıplak)(?: bir| bana| hele){0,2} (?:göster|aç|görebilir miyim|görmek istiyorum|görelim|görsem)\\p{L}{0,8}",
  "(?:üstünü|elbiseni|tişörtünü|kıyafetini|kıyafetlerini|sütyenini|pantolonunu|külotunu) çıkar(?:sana|ır mısın|ın|t)?",
  "(?:ücretli|paralı|parayla|para karşılığı(?:nda)?|ücret karşılığı(?:nda)?) (?:seks|sevişme|nude|ilişki|show|şov|cam show|çıplak|birliktelik|görüntülü seks)",
  "seks (?:yapalım|yapmak ister misin|yapar mısın|için kaç para|kaç para|ücreti|satıyorum|işçisiyim)|(?:gel |hadi )?sevişelim|görüntülü seks|sanal seks|telefon seksi",
  "eskortum|(?:eskort|escort)(?: hizmeti| bayan| arıyorum)|bedenimi sat(?:ıyorum|arım)|geceliğin kaç para|bir gecen kaç para",
];

const indonesianSolicitation: readonly string[] = [
  "(?:kirim|kirimin|minta|bagi|lihat|liat|kasih|tunjukin|tunjukkan|pap|jual|beli|pengen liat|mau liat)(?: (?:aku|gue|dong|donk|sini|foto|video|gambar|pic|fotomu|yang|ke|kamu|lagi|ya)){0,4} (?:bugil|telanjang|toket|tete|tetek|memek|kontol|payudara|nudes?|sange|bokep|seksi(?: kamu| dong)|dalaman|puting)(?:mu|ku|nya)?",
  "(?:foto|video|gambar) (?:bugil|telanjang|porno|mesum|syur)(?: ?(?:kamu|mu|lu|lo|dong|dijual|berbayar|gratis))?",
  "(?:jual|sedia|terima|jasa|menjual) (?:bo|vcs|vcs bugil|video call sex|konten dewasa|bokep|seks|sex|plus plus|badan|tubuh|keperawanan)(?:ku)?",
  "(?:vcs|bo) (?:berbayar|bayar|gratis|yuk|yok|dong|murah|berapa|tarif|real)|open (?:vcs|bo)|tarif (?:vcs|bo|semalam|kamu semalam)",
  "(?:bayar|dibayar)(?: berapa)?(?: kamu| buat| untuk){0,2} (?:seks|sex|vcs|nudes?|bugil|telanjang|ngentot|ngewe)|(?:seks|sex) (?:berbayar|demi uang|dibayar)",
  "(?:buka|lepas|copot)(?:in)? (?:baju|bra|bh|beha|celana|celana dalam|rok|kancut)(?:mu| kamu| dong| lu| lo| nya dong)",
  "(?:mau|yuk|ayo)(?: kita)? (?:ngentot|ngewe|seks|sex|bercinta)(?: yuk| dong| sama aku)?|telanjang (?:dong|yuk|di (?:kamera|cam))",
];

const arabicSolicitation: readonly string[] = [
  "(?:ارسل|ارسلي|ابعث|ابعثي|ابعتي|ابعت|وريني|ورني|اريني|ورجيني|فرجيني|فرجني|اعطيني|هاتي|بدي|عايز|عايزه|ابي|ابغي|اريد|ممكن)(?: لي| ليا| اشوف| اري| شوف| صور| صوره| صورتك| صورك| فيديو| لك| وانت| وانتي){0,4} (?:عاريه|عريانه|عاري|سكسي|سكسيه|جنسيه|اباحيه|صدرك|بزازك|كسك|طيزك|نهودك|زبك|مؤخرتك|ملط)|(?:اشوف|اري|شوف) جسمك",
  "(?:صور|صورك|صورتك|فيديو|فيديوهات|مقاطع|صوري) (?:عاريه|سكسيه|سكسي|جنسيه|سكس|اباحيه)",
  "(?:سكس|جنس|الجنس|مكالمه سكس) (?:مقابل|بمقابل|مدفوع|بفلوس|بالفلوس|كام|كاميرا|كول|فون)|(?:ابيع|بيع|اشتري) (?:جسدي|جسمي|صوري|صور عاريه|صور سكس|سكس)",
  "(?:اخلعي|اقلعي|اشلحي|شلحي|انزعي|اخلع|اقلع)(?: لي)? (?:ملابسك|هدومك|ثيابك|تيابك|قميصك|السنتيان|سنتيانك|فستانك|بنطلونك|البلوزه)",
  "(?:نامي معي|تنامي معي|نامي معايا|تنامي معايا|تعالي ننام) (?:بكم|بكام|مقابل|بفلوس)|بكم (?:تنامي|الليله معك)|كم سعرك (?:بالليله|في الليله)|(?:يلا|تعالي) (?:سكس|نيك)",
];

export const solicitationPhrases: readonly string[] = [
  ...englishSolicitation,
  ...turkishSolicitation,
  ...indonesianSolicitation,
  ...arabicSolicitation,
];

const intimate =
  "(?:裸照|裸体|裸图|裸视频|果照|私密照|私房照|露点照|奶子|胸部|咪咪|大胸|胸(?!肌)|屁股|下体|私处|性感照|色图|黄图|涩图|福利照|福利视频|不雅照|鸡巴|小穴|内裤|光着身子)";

/** The same for Chinese, which puts no space between words: found anywhere. */
export const solicitationPhrasesUnspaced: readonly string[] = [
  `(?:发|發|来|传)(?:我|给我|一?点|一?些|几张|一?张|个|你的?|妳的?|自己的?|看看){0,4}(?:裸照|裸体|裸图|裸视频|果照|私密照|私房照|露点照|性感照|色图|黄图|涩图|福利照|福利视频|不雅照|奶子|胸照)`,
  `(?:给我看|让我看|露|秀|我想看|我要看)(?:看|一下|下|你的?|妳的?|露出){0,3}${intimate}`,
  "(?:卖|买|出售|出|收|有偿|付费)(?:我的?|你的?|一些|点){0,2}(?:裸照|裸图|裸视频|果照|私密照|原味内裤|原味丝袜|色图|福利视频|私密视频)",
  "卖淫|(?<![支增救声])援交(?![通给接流换])|卖身(?!契)|求包养|包养我|裸聊|磕炮|性交易|性服务|上门小姐|小姐上门|付费陪睡|有偿陪睡",
  "多少钱(?:可以|能)?(?:陪睡|睡你|睡一晚|做爱|包夜|一炮|约|看裸|裸聊)|(?:做爱|睡一晚|陪我睡|约一次|裸聊)(?:要)?多少钱|给(?:你|妳)钱.{0,4}(?:脱|裸|看胸|睡)",
  "(?:把)?(?:衣服|上衣|内衣|裤子|裙子|胸罩|内裤)(?:都|全|也)?脱(?:了|掉|下|光).{0,3}(?:给我看|吧|嘛|好吗)|脱(?:掉|下|了)?[你妳]的?(?:衣服|上衣|内衣|裤子|裙子|胸罩|内裤)|脱(?!口).{0,4}给我看",
  "(?:想|要|来)(?:不想|不要)?(?:跟|和)我(?:做爱|上床|啪啪)|我们(?:做爱|上床|啪啪)吧",
];
