import type { MailTexts } from "./text-shape.ts";

export const tr: MailTexts = {
  confirm: {
    subject: "Fava için e-posta adresinizi onaylayın",
    text: [
      "Biri bu adresi bir Fava hesabına yazdı. Bu sizseniz, 24 saat içinde bu sayfayı açıp düğmeye basın:",
      "{link}",
      "Siz değilseniz bir şey yapmayın. Onay olmadan Fava bu adrese başka e-posta göndermez.",
    ],
  },
  appealUpheld: { subject: "İtirazınıza yanıtımız", text: ["İtirazınızı okuduk. Karar geçerli kalıyor."] },
  appealShortened: {
    subject: "İtirazınıza yanıtımız",
    text: ["İtirazınızı okuduk. Yasağınız kısaldı, artık şu tarihte bitiyor: {until}."],
  },
  appealLifted: {
    subject: "İtirazınıza yanıtımız",
    text: ["İtirazınızı okuduk. Yasağınız kaldırıldı, yeniden giriş yapabilirsiniz."],
  },
  noticeUpheld: {
    subject: "{no} numaralı bildiriminiz hakkındaki kararımız",
    text: ["{no} numaralı bildiriminizi haklı bulduk.", "Kararı bu sayfada okuyun:", "{link}"],
  },
  noticeUnfounded: {
    subject: "{no} numaralı bildiriminiz hakkındaki kararımız",
    text: ["{no} numaralı bildiriminizin konusunda bir ihlal bulmadık.", "Kararı bu sayfada okuyun:", "{link}"],
  },
  ban: {
    subject: "Fava hesabınız yasaklandı",
    text: [
      "Neden: {reason}.",
      "{by}",
      "{end}",
      "Açıklamanın tamamını okumak için giriş yapın. Orada altı ay içinde ücretsiz itiraz edebilirsiniz, kararı başka biri verir:",
      "{link}",
    ],
  },
  deletion: {
    subject: "Fava hesabınız silinecek",
    text: [
      "İsteğiniz üzerine hesabınız silindi. {until} tarihine kadar giriş yapıp her şeyi geri alabilirsiniz. Sonra kalıcı olarak sileriz.",
      "{link}",
      "Bunu siz yapmadıysanız geri almak için hemen giriş yapın.",
    ],
  },
  deletionLast: {
    subject: "Fava hesabınızı korumak için son gün",
    text: [
      "Hesabınızı {until} tarihinden sonra kalıcı olarak sileceğiz. Korumak için ondan önce giriş yapın:",
      "{link}",
    ],
  },
  ageCheck: {
    subject: "Fava sizden yaş kontrolü istiyor",
    text: [
      "Bir moderatör sizden yaş kontrolü istiyor. Kontrolü geçene kadar Fava’da kimseyle tanışamazsınız. Lütfen {until} tarihinden önce yapın:",
      "{link}",
    ],
  },
  receipt: {
    subject: "Fava makbuzunuz",
    text: ["{at} tarihinde {money} karşılığında {beans} fasulye satın aldınız.", "Sipariş numarası: {order}"],
  },
  signIn: {
    subject: "Fava hesabınıza yeni giriş",
    text: [
      "Hesabınız {at} tarihinde yeni bir cihazda kullanıldı: {device}.",
      "Siz değilseniz Fava’da “Hesap ve veriler” bölümünü açıp her yerden çıkış yapın. Sonra giriş yaptığınız hizmetin parolasını değiştirin.",
      "{link}",
    ],
  },
  missedCall: {
    subject: "Fava’da cevapsız bir aramanız var",
    text: ["Bir arkadaşınız {at} tarihinde sizi aradı.", "{link}"],
  },
  test: {
    subject: "Fava’dan deneme e-postası",
    text: ["Bu bir denemedir, {at} tarihinde gönderildi. Size ulaştıysa bu site e-posta gönderebiliyor."],
  },
  wrote: "Moderatörün yazdığı:",
  byPerson: "Buna bir insan karar verdi.",
  bySoftware: "Buna yazılım karar verdi, bir insan kontrol edecek.",
  ends: "Bitiş tarihi: {until}.",
  noEnd: "Bitiş tarihi yok.",
  unknown: "bilinmeyen cihaz",
  why: "Bu e-postayı, Fava hesabınıza bu adresi yazdığınız için alıyorsunuz.",
  whyOnce: "Bu e-postayı, bu adresi bu konu için verdiğiniz için alıyorsunuz. Fava onu başka bir şey için kullanmaz.",
  stop: "Bu tür e-postaları durdurun:",
  page: {
    confirm: "E-posta adresinizi onaylayın",
    confirmText: "Fava e-postalarını bu bağlantıyı bulduğunuz adreste almak için düğmeye basın.",
    confirmGo: "Onayla",
    confirmed: "Adresiniz onaylandı",
    confirmedText: "E-postalarınızı “Hesap ve veriler” bölümünde seçebilirsiniz.",
    expired: "Bu bağlantı artık çalışmıyor",
    expiredText: "Yenisini almak için adresinizi “Hesap ve veriler” bölümüne yeniden yazın.",
    stop: "Bu e-postalar durdurulsun mu?",
    stopText: "Bu türde e-posta almayacaksınız: {kind}.",
    stopGo: "Durdur",
    stopped: "Tamam",
    stoppedText: "Fava size bu türde e-posta göndermeyecek: {kind}.",
    open: "Fava’yı aç",
  },
  kinds: { receipt: "makbuzlar", sign_in: "yeni girişler", missed_call: "cevapsız aramalar" },
};
