/**
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

const english: readonly string[] = [
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
const turkish: readonly string[] = [
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
const indonesian: readonly string[] = [
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
const arabic: readonly string[] = [
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

export const hatePhrases: readonly string[] = [...english, ...turkish, ...indonesian, ...arabic];

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
