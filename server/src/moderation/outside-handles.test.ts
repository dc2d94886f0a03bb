import { expect, test } from "vitest";
import { scanText } from "./text-scan.ts";

const contactKinds = new Set(["phone", "email", "link", "handle"]);
const contactsIn = (text: string) =>
  scanText(text)
    .filter(({ kind }) => contactKinds.has(kind))
    .map(({ kind }) => kind);

test.each([
  "telegrm: ana_lima",
  "sn@p → ana_lima",
  "1nstagram ana.lima",
  "disc0rd anna#0042",
  "i g: ana_lima",
  "ana.lima on the gram",
  "linkedin: Ana Lima",
  "look up Ana Lima on Facebook",
  "tiktok/analima",
  "加我卫星 analima88",
  "抖音搜 山里的小猫",
  "我❤信 analima88",
  "snapchat搜 analimabeijing",
  "去soul找我，ID 月亮不睡觉",
  "加vx同号 qq 28471093",
  "企鹅 2 8 4 7 1 0 9 3",
  "抖音搜“山里的小猫”",
  "我小红书叫 山里的小猫",
])("finds the account elsewhere in %j", (text) => {
  expect(contactsIn(text)).toContain("handle");
});

test.each([
  // Arabic joins the article, prepositions and endings to the name of the service.
  "سنابي lina.sh91",
  "ضيفوني عالسكايب basel.homs",
  "نتلاقاو فالانستا kenza.rbt",
  "هاي سنابتي lolo_sh91",
  "الديسكورد حقي shog#8842",
  // A full name after words that announce it.
  "فيسبوك باسم محمود السيد ضيفني",
  "عطيني اد بالفيس: زياد أبو الليل",
  "عندي تانغو باسم ملكة الليل",
])("finds the account in Arabic in %j", (text) => {
  expect(contactsIn(text)).toContain("handle");
});

test.each([
  "Fb: Ercüment Balıkçı",
  "facebookta Nurten Gökçe, profil resmim kedi",
  "face'den ekle Serkan Toprak",
  "facede Hülya Demir diye bul beni",
  "facede hülya demir diye bul beni",
  "instagramda hulya demir ismiyle ara beni",
  "tango idim 55820417",
  "bip numaram 55820417",
])("finds the account in Turkish in %j", (text) => {
  expect(contactsIn(text)).toContain("handle");
});

test.each([
  "cari di fb Mbak Sri Rahayu",
  "mampir fb gue: Jaka Sembung",
  "fb messenger: Ucok Siregar",
  "fb ku Agus Prasetyo, add ya",
  "fb ku Agus Prasetyo add ya",
  "bigo id 83749201 mampir",
  "michat no: 83749201",
  "search lemonade.bdg di instagrem",
])("finds the account in Indonesian in %j", (text) => {
  expect(contactsIn(text)).toContain("handle");
});

test.each([
  ["paypal dot me forward slash analima", "link"],
  ["vk com / id4455667", "link"],
  ["ana_99 at gmail", "email"],
  ["ana1990#qq.com", "email"],
  ["five five five then one two three then four five six seven", "phone"],
  ["nine one seven 555 0133", "phone"],
])("finds what is said in words in %j as %s", (text, kind) => {
  expect(contactsIn(text)).toContain(kind);
});

test.each([
  "my new iphone15 does not run discord",
  "we write snake_case at work",
  "a well-known singer is on tiktok",
  "mp3 or mp4?",
  "I discard old records, version 10.0.1",
  "signal strength on line_2 is bad",
  "I got banned from Discord for no reason",
  "one then two then three",
  "我喜欢刷抖音，你呢",
])("finds no account elsewhere in %j", (text) => {
  expect(contactsIn(text)).toEqual([]);
});

/** Everyday sentences with words that are also names of services or that often lead to an account. */
const nearMisses: readonly (readonly [string, readonly string[]])[] = [
  [
    "English",
    [
      "the satellite photo is on line 2024",
      "we stand in line for 20 minutes",
      "the weather signal says 35 degrees",
      "it is good for the soul, chapter 12",
      "I search for a good pizza place",
      "search for jobs at home, I am on the night shift",
      "my soul is tired of studying",
      "add me to the list of people who like cats",
      "add me a coffee please: two sugars",
      "find me a seat near the window",
      "I am at the gym on monday",
      "what's your line of work",
      "snap out of it",
      "my favorite gram is 100 grams of sugar",
      "telegram was invented in 1844",
      "my nickname is hard to say: it comes from my grandmother",
      "facebook: new rules for everyone",
      "facebook is full of old people",
      "discord between two countries",
      "he has steam engine 4468 at home",
      "the id of the error is 404",
      "I follow football and tennis",
      "face it: nobody likes mondays",
      "my face: red like tomato",
      "he works at facebook in london",
      "I play roblox with my brother every day",
      "twitter is now called x",
      "youtube video about cats: very funny",
      "look up the word on google",
      "I'm Chinese American on paper",
      "switch to the other side",
      "snap: the rope broke",
      "I read about tango, 20000 people dance it",
      "bus line 1204567 is late",
      "tiktok/youtube videos are fun",
      "ig/snap: honest opinions only",
      "search for node modules on line 20",
    ],
  ],
  [
    "Chinese",
    [
      "卫星照片很漂亮",
      "中国发射了12颗卫星，很厉害",
      "我家附近有卫星城，找我玩吧",
      "动物园里的企鹅好可爱，加油",
      "你好我叫王小明，加拿大人，喜欢企鹅",
      "我叫李小龙，喜欢看卫星，你找我聊",
      "爱鸡蛋也爱鸡肉",
      "我最爱鸡翅膀",
      "我爱吉他，会弹一点",
      "坐飞机要2000块钱",
      "坐飞机去北京用了20000块",
      "抖音是什么",
      "抖音是中国的公司",
      "我的微信是不是坏了",
      "微博搜一下就知道",
      "快手是北京的公司",
      "抖音粉丝100000个",
      "小红书是个好软件",
      "知乎是一个问答网站",
      "我在b站看动画",
      "b站是我最喜欢的网站",
      "我在豆瓣给它打了9分",
      "球球大作战好玩吗",
      "我家的球球很可爱，叫小球球",
      "油管是看视频的",
      "推特是马斯克的公司",
      "我用支付宝付了12345块",
      "我搜了半天，找不到视频号在哪里",
      "我加班到很晚，叫了外卖，刷抖音",
      "他叫什么名字，也玩微博吗",
      "你搜一搜电报这个词",
      "公众号文章写得很好",
      "我用钉钉上课，加油",
      "我们公司用飞书开会，好累",
      "你加糖吗，我爱喝微博上的那个奶茶",
      "他叫陈小春，唱歌的，抖音很火，搜一下",
      "我在抖音搜 美食视频",
      "我在微博上看到企鹅 2024 年的照片",
    ],
  ],
  [
    "Indonesian",
    [
      "fb: banyak berita bohong sekarang",
      "saya cari kerja di facebook setiap hari",
      "aku follow banyak akun masak",
      "cari makan di instagram memang enak dilihat",
      "line bis nomor 4 lewat sini",
      "saya pindah ke kota lain tahun 2020",
      "dia chat terus tapi aku sibuk",
      "username itu apa sih",
      "nomor antrian saya 1204567",
      "bigo id itu apa",
      "aku suka tango, tari dari argentina",
      "search aja di google, gampang",
      "akun facebook saya lama sekali, follow banyak artis",
      "fb saya sudah lama mati, follow saja berita",
      "instagram saya isinya kucing semua, add filter lucu",
    ],
  ],
  [
    "Turkish",
    [
      "yüzüm: çok solgun bugün",
      "face: ilginç bir kelime",
      "facebookta bul beni demek istemedim",
      "facebookta yeni bir grup kurdular",
      "instagramda güzel tatil fotoğrafları diye ararsın",
      "instagramda bir sürü kedi videosu diye arat bak",
      "arkadaşım nickini değiştirdi 2020 yılında",
      "id kartımı kaybettim, numara 12",
      "bana yaz tatili sorma",
      "line hattı 1204567 numara",
      "telegram diye bir uygulama var",
      "facede tanıdık biri var diye ekle",
      "bip no 12 hat",
    ],
  ],
  [
    "Arabic",
    [
      "عندي حساب بنك جديد",
      "حسابي في البنك فاضي",
      "الفيس باسم مستعار دائما افضل",
      "الفيس: ناس كثير تكذب",
      "سناب: تطبيق حلو للصور",
      "تليجرام اسمه صعب علينا كلنا",
      "كلمني عن حياتك",
      "راسلني الاستاذ اليوم عن الدرس",
      "يوزر الالعاب عندي قديم",
      "الانستا تحت اسم الشركة فقط",
      "شفت في الفيس باسم يوسف يضحك",
      "لعبت تانغو في الارجنتين 2019",
      "اد ايه الساعة",
      "كيك الشوكولاتة لذيذ جدا",
      "خط لاين الباص رقم 12",
    ],
  ],
];

test.each(nearMisses)("finds no account in everyday %s", (_language, texts) => {
  expect(texts.filter((text) => contactsIn(text).length > 0)).toEqual([]);
});

test.each([
  "telegrm ",
  "a_b ",
  "加微 ",
  "one then ",
  "@a ",
  "look up Ana Lima ",
  "ig/",
  "fb ku Ana ",
  "企鹅号 1 ",
  "بالفيس: ",
])("scans the longest text, made of %j, without an error", (part) => {
  expect(() => contactsIn(part.repeat(2_000).slice(0, 10_000))).not.toThrow();
});
