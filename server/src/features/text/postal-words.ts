/** States of the USA as they stand before a postal code. */
export const states =
  "AK|AR|AZ|CA|CT|FL|GA|IA|IL|KS|KY|MD|MI|MN|MO|MS|MT|NC|ND|NE|NH|NJ|NM|NV|NY|RI|SC|SD|TN|TX|UT|VA|VT|WA|WI|WV|WY";
/** Those that are also words, which count after the comma of a town only. */
export const statesLikeWords = "AL|CO|DE|ID|IN|LA|MA|ME|OR|PA";

/** Towns of British codes: any two letters in front of digits are also much else. */
export const britishAreas =
  "AB|AL|B|BA|BB|BD|BH|BL|BN|BR|BS|BT|CA|CB|CF|CH|CM|CO|CR|CT|CV|CW|DA|DD|DE|DG|DH|DL|DN|DT|DY|E|EC|EH|EN|EX|FK|FY|G|GL|GU|HA|HD|HG|HP|HR|HS|HU|HX|IG|IP|IV|KA|KT|KW|KY|L|LA|LD|LE|LL|LN|LS|LU|M|ME|MK|ML|N|NE|NG|NN|NP|NR|NW|OL|OX|PA|PE|PH|PL|PO|PR|RG|RH|RM|S|SA|SE|SG|SK|SL|SM|SN|SO|SP|SR|SS|ST|SW|SY|TA|TD|TF|TN|TQ|TR|TS|TW|UB|W|WA|WC|WD|WF|WN|WR|WS|WV|YO|ZE";

/** Folded, each with a plain i. */
export const turkishProvinces =
  "adana|adiyaman|afyon|afyonkarahisar|ağri|aksaray|amasya|ankara|antalya|ardahan|artvin|aydin|balikesir|bartin|batman|bayburt|bilecik|bingöl|bitlis|bolu|burdur|bursa|çanakkale|çankiri|çorum|denizli|diyarbakir|düzce|edirne|elaziğ|erzincan|erzurum|eskişehir|gaziantep|giresun|gümüşhane|hakkari|hatay|iğdir|isparta|istanbul|izmir|kahramanmaraş|karabük|karaman|kars|kastamonu|kayseri|kilis|kirikkale|kirklareli|kirşehir|kocaeli|konya|kütahya|malatya|manisa|mardin|mersin|muğla|muş|nevşehir|niğde|ordu|osmaniye|rize|sakarya|samsun|siirt|sinop|sivas|şanliurfa|şirnak|tekirdağ|tokat|trabzon|tunceli|uşak|van|yalova|yozgat|zonguldak";

/** Words beside "street" in Turkish, Indonesian and Arabic that are no name of one; folded. */
export const ordinaryBefore: ReadonlySet<string> = new Set(
  (
    "bu şu o bir her hangi ayni arka ana yan karşi ara bizim sizin onun kaç hiç çikmaz boş dar geniş " +
    "kaki ke di yang dari bareng sama itu ini jalan terus keluar pulang buntu tol lain satu dua masuk mundur hidup " +
    "pintas santai aja dulu kita aku kamu besar utama cepat sehat of members sore pagi malam " +
    "في من الى إلى على عن كبير صغير جديد فقط بس هنا هناك او أو كل كله فيه فيها واحد جميل طويل مختلف بجانب قريب"
  ).split(" "),
);

/** Words between a number and "street" that make it something else: "5 minutes down the road", "a 2 lane road". */
export const ordinaryEnglish: ReadonlySet<string> = new Set(
  (
    "the a an my your his her our their its this that these those of on in at to from for with by per and or but is are " +
    "was were be been it i you we they he she me him them us every each other another same more most many much some any " +
    "all no not so too very just only about almost over around down up across along off out into onto than then when " +
    "while if as till until minutes minute min mins hours hour hrs hr days day weeks week months month years year yr yrs " +
    "old seconds second sec am pm km kms kilometers kilometres miles mile meters metres meter metre m feet ft blocks " +
    "block cars car bikes people person guys men women girls boys kids dogs cats houses house shops bars times time " +
    "percent star stars lane lanes way ways point points beans dollars euros coins pounds bucks free big small long " +
    "short busy best worst good bad nice great different beautiful jump gb tb mb usb hard flash pen thumb google disk " +
    "disc last next first second third external test dead one two three four five six seven eight nine ten million thousand hundred"
  ).split(" "),
);
