/**
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

const english: readonly string[] = [
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

const turkish: readonly string[] = [
  "(?:çıplak|nü|seksi|üstsüz|ifşa|müstehcen)(?: bir)? (?:foto|resim|resm|video|poz|görüntü|fotoğraf|selfie)\\p{L}{0,8}(?: bana| lütfen| bir){0,2} (?:at|gönder|yolla|var mı|sat|paylaş|göster|iste)\\p{L}{0,10}",
  "nude(?:s|larını|lar|ün|ünü)? (?:at|gönder|yolla|var mı|sat|satıyorum|satan|alırım|istiyorum|paylaş)\\p{L}{0,8}",
  "(?:memeni|memelerini|göğsünü|göğüslerini|götünü|kalçanı|kalçalarını|amını|sikini|çükünü|çıplak halini|kilodunu|külotunu|sütyenini|iç çamaşırını|vücudunu çıplak)(?: bir| bana| hele){0,2} (?:göster|aç|görebilir miyim|görmek istiyorum|görelim|görsem)\\p{L}{0,8}",
  "(?:üstünü|elbiseni|tişörtünü|kıyafetini|kıyafetlerini|sütyenini|pantolonunu|külotunu) çıkar(?:sana|ır mısın|ın|t)?",
  "(?:ücretli|paralı|parayla|para karşılığı(?:nda)?|ücret karşılığı(?:nda)?) (?:seks|sevişme|nude|ilişki|show|şov|cam show|çıplak|birliktelik|görüntülü seks)",
  "seks (?:yapalım|yapmak ister misin|yapar mısın|için kaç para|kaç para|ücreti|satıyorum|işçisiyim)|(?:gel |hadi )?sevişelim|görüntülü seks|sanal seks|telefon seksi",
  "eskortum|(?:eskort|escort)(?: hizmeti| bayan| arıyorum)|bedenimi sat(?:ıyorum|arım)|geceliğin kaç para|bir gecen kaç para",
];

const indonesian: readonly string[] = [
  "(?:kirim|kirimin|minta|bagi|lihat|liat|kasih|tunjukin|tunjukkan|pap|jual|beli|pengen liat|mau liat)(?: (?:aku|gue|dong|donk|sini|foto|video|gambar|pic|fotomu|yang|ke|kamu|lagi|ya)){0,4} (?:bugil|telanjang|toket|tete|tetek|memek|kontol|payudara|nudes?|sange|bokep|seksi(?: kamu| dong)|dalaman|puting)(?:mu|ku|nya)?",
  "(?:foto|video|gambar) (?:bugil|telanjang|porno|mesum|syur)(?: ?(?:kamu|mu|lu|lo|dong|dijual|berbayar|gratis))?",
  "(?:jual|sedia|terima|jasa|menjual) (?:bo|vcs|vcs bugil|video call sex|konten dewasa|bokep|seks|sex|plus plus|badan|tubuh|keperawanan)(?:ku)?",
  "(?:vcs|bo) (?:berbayar|bayar|gratis|yuk|yok|dong|murah|berapa|tarif|real)|open (?:vcs|bo)|tarif (?:vcs|bo|semalam|kamu semalam)",
  "(?:bayar|dibayar)(?: berapa)?(?: kamu| buat| untuk){0,2} (?:seks|sex|vcs|nudes?|bugil|telanjang|ngentot|ngewe)|(?:seks|sex) (?:berbayar|demi uang|dibayar)",
  "(?:buka|lepas|copot)(?:in)? (?:baju|bra|bh|beha|celana|celana dalam|rok|kancut)(?:mu| kamu| dong| lu| lo| nya dong)",
  "(?:mau|yuk|ayo)(?: kita)? (?:ngentot|ngewe|seks|sex|bercinta)(?: yuk| dong| sama aku)?|telanjang (?:dong|yuk|di (?:kamera|cam))",
];

const arabic: readonly string[] = [
  "(?:ارسل|ارسلي|ابعث|ابعثي|ابعتي|ابعت|وريني|ورني|اريني|ورجيني|فرجيني|فرجني|اعطيني|هاتي|بدي|عايز|عايزه|ابي|ابغي|اريد|ممكن)(?: لي| ليا| اشوف| اري| شوف| صور| صوره| صورتك| صورك| فيديو| لك| وانت| وانتي){0,4} (?:عاريه|عريانه|عاري|سكسي|سكسيه|جنسيه|اباحيه|صدرك|بزازك|كسك|طيزك|نهودك|زبك|مؤخرتك|ملط)|(?:اشوف|اري|شوف) جسمك",
  "(?:صور|صورك|صورتك|فيديو|فيديوهات|مقاطع|صوري) (?:عاريه|سكسيه|سكسي|جنسيه|سكس|اباحيه)",
  "(?:سكس|جنس|الجنس|مكالمه سكس) (?:مقابل|بمقابل|مدفوع|بفلوس|بالفلوس|كام|كاميرا|كول|فون)|(?:ابيع|بيع|اشتري) (?:جسدي|جسمي|صوري|صور عاريه|صور سكس|سكس)",
  "(?:اخلعي|اقلعي|اشلحي|شلحي|انزعي|اخلع|اقلع)(?: لي)? (?:ملابسك|هدومك|ثيابك|تيابك|قميصك|السنتيان|سنتيانك|فستانك|بنطلونك|البلوزه)",
  "(?:نامي معي|تنامي معي|نامي معايا|تنامي معايا|تعالي ننام) (?:بكم|بكام|مقابل|بفلوس)|بكم (?:تنامي|الليله معك)|كم سعرك (?:بالليله|في الليله)|(?:يلا|تعالي) (?:سكس|نيك)",
];

export const solicitationPhrases: readonly string[] = [...english, ...turkish, ...indonesian, ...arabic];

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
