import { expect, test } from "vitest";
import { findPostalAddress } from "./postal-address.ts";
import { namedFindings, scanText } from "./text-service.ts";

test.each([
  // English
  "12 Main Street",
  "i live at 12 main street come by",
  "221B Baker Street, London",
  "my address is 350 5th Avenue",
  "Come to 1600 Pennsylvania Ave NW",
  "125 w 42nd st, apt 4",
  "I am at 14 Oak Drive.",
  "7 Penny Lane, Liverpool",
  "4059 Mt Lee Dr.\nHollywood",
  "Springfield, IL 62704",
  "Austin TX 78701",
  "flat in London SW1A 1AA",
  "M5V 3L9 Toronto",
  "my zip code is 90210",
  "postcode: sw1a 1aa",
  "write to P.O. Box 4321",
  // Turkish
  "Atatürk Cad. No: 15",
  "Cumhuriyet Mahallesi 123. Sokak No 5 Daire 3",
  "bağdat caddesi 45/3",
  "Lale Sk. 5/7, Beşiktaş",
  "İSTİKLAL CADDESİ NO:12",
  "lale sokagi no 7 kat 2",
  "34710 Kadıköy/İstanbul",
  "posta kodum 06420",
  "kat 3 daire 5",
  // Indonesian
  "Jl. Merdeka No. 10",
  "jalan sudirman kav 21",
  "Jl Mawar Indah 5, Bandung",
  "Gg. Kelinci No 3",
  "rumahku RT 03/RW 04",
  "jln melati blok A5 no 12",
  "kode pos 40115",
  // Arabic
  "شارع الملك فهد رقم 12",
  "١٢ شارع التحرير",
  "15 شارع طلعت حرب القاهرة",
  "شارع الحمرا، بناية 7",
  "عمارة 5 شقة 3",
  "عمارة ٥، الدور الثاني، شقة ٣",
  "شارع الملك فهد 123، الرياض",
  "الرمز البريدي 11564",
  "ص.ب 1234",
  // Chinese
  "中山路123号",
  "我住在人民大街5号",
  "朝阳区建国路８８号",
  "幸福小区3栋2单元501室",
  "南锣鼓巷12号",
  "长宁路1027弄25号",
  "5号楼302室",
  "邮编：100020",
])("finds the postal address in %j", (text) => {
  expect(namedFindings(scanText(text))).toEqual(["address"]);
});

test.each([
  // English
  "5 minutes down the road",
  "there were 20 people on the street",
  "it is a 2 lane road, 3 hour drive",
  "I love the 2 best street musicians of town",
  "we drove 300 miles of highway",
  "a 5 star road trip",
  "I watched 21 Jump Street yesterday",
  "42nd Street is loud at night",
  "the 1 way street behind us",
  "my 2 close friends",
  "100 GB Google Drive",
  "16 gb flash drive.",
  "yes m8 2nd time",
  "MacBook M2 8GB",
  "OK 10000 beans, or 20000",
  "in 1969 abbey road was new",
  "room 404 not found",
  "zip 2000 files",
  "I turned 30 last St. Patrick's day",
  "Formula 1, 2 places ahead",
  "version 3 drive test",
  // Turkish
  "sokakta 5 kişi vardı",
  "bağdat caddesi 5 dakika uzakta",
  "bu sokak no 5 gibi duruyor",
  "3. sokaktan sonra sağa dön",
  "hangi cadde 5 şeritli",
  "saat 10.30, numaram yok",
  "12345 evet/hayır",
  "kat 3'e çıktım",
  // Indonesian
  "jalan kaki 5 menit",
  "jalan jalan 2 hari",
  "gang of 4 no 1",
  "gg wp no 1",
  "jalan ke pasar no 1 di kota",
  "aku punya 2 kucing di rumah",
  "RT itu apa, retweet 5 kali",
  // Arabic
  "شارع فيه 5 محلات",
  "مشيت 3 شوارع",
  "شارع التحرير 5 دقائق من هنا",
  "الساعة 5 شارع الحمرا",
  "عندي شقة و 3 غرف",
  "رقم 1 في الصف",
  "عمري ٢٥ سنة",
  // Chinese
  "地铁2号线",
  "坐10路公交车",
  "这条路10号开通",
  "我们在马路10号见",
  "南京路3号出口",
  "1号到5号我在上海",
  "上街5号买的衣服",
  "第3单元的单词",
  "今天走了2万步",
])("finds no postal address in %j", (text) => {
  expect(findPostalAddress(text)).toBeUndefined();
});

test.each(["1 a ", "12 Main ", "jl a ", "a sk ", "شارع ا ", "1号路", "SW1A ", "1 ", "A1A ", "a cad no "])(
  "scans a text twenty times as long, made of %j, for addresses in less than quadratic time",
  (part) => {
    expect(() => findPostalAddress(part.repeat(Math.ceil(20_000 / part.length)))).not.toThrow();
  },
);

test.each([
  ["it is 12 Main Street, tonight", "12 Main Street"],
  ["bize gel, Lale Sk. 5/7, tamam mı", "Lale Sk. 5/7"],
  ["İyi akşamlar, bağdat caddesi 45/3", "bağdat caddesi 45/3"],
  ["你好,我在北京市朝阳区建国路88号等你", "我在北京市朝阳区建国路88号"],
  ["my zip code is 90210 okay", "zip code is 90210"],
  ["come to Springfield, IL 62704 please", "Springfield, IL 62704"],
])("finds where in %j the address is", (text, address) => {
  const { start, end } = findPostalAddress(text)!;
  expect(text.slice(start, end)).toBe(address);
});

test("reports all of a text as the address when its characters do not fold one by one", () => {
  const text = "cafe\u0301, 12 Main Street";
  expect(findPostalAddress(text)).toEqual({ start: 0, end: text.length });
});
