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
