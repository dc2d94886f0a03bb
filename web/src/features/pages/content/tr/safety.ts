import type { SafetyContent } from "#lib/page-content.ts";

export const page: SafetyContent = {
  title: "Biri sizi tehdit mi ediyor?",
  lead: "Siz yanlış bir şey yapmadınız ve yalnız değilsiniz. Şu dört şeyi bu sırayla yapın.",
  steps: [
    {
      heading: "Ödemeyin",
      text: "Ödemek işi neredeyse hiç bitirmez. Ödeyenden yine istenir.",
    },
    {
      heading: "Yanıt vermeyi kesin",
      text: "Tartışmayın, yalvarmayın. Engelleyin, ama yazışmayı silmeyin.",
    },
    {
      heading: "Kanıtları saklayın",
      text: "Ekran görüntüleri, adlar, numaralar, saatler. Mahrem hiçbir görüntüyü iletmeyin.",
    },
    {
      heading: "Bize, sonra polise söyleyin",
      text: "Şantaj şikâyetlerine önce bakarız. Kanıtlar {evidenceKept} saklanır.",
    },
  ],
  template:
    "Fava’da tanıştığım biri bana şantaj yapıyor.\n\nO hesabın numarası veya takma adı: {number}\nBenim hesap numaram: \nNe zaman tanıştık (tarih, saat, saat dilimim): \nNeyle tehdit ediyor, ne istiyor: \nBana nereden yazıyor (uygulama, ad, numara): \n\nÖdeme yapmadım, ekran görüntülerini sakladım. Lütfen kanıtları saklayın ve o hesabı durdurun.",
  talk: {
    heading: "Konuşurken",
    parts: [
      {
        heading: "Çıkış tek tuşta",
        text: "X tuşuna, telefonda kalkana basın. Görüntü gider, siz ayrılırsınız; karşınızdaki engellenir ve şikâyet edilir.",
      },
      {
        heading: "Önce bulanık",
        text: "İlk denetim geçilmeden kimseyi net görmezsiniz. Sonra bir şeyden emin olunmazsa yeniden bulanıklaşır.",
      },
      {
        heading: "Yeriniz size kalır",
        text: "Karşı taraf ağ adresinizi asla öğrenmez. Ülkeniz görünür, daha yakını görünmez.",
      },
      {
        heading: "Görüşmeden sonra",
        text: "{recent} boyunca, son görüşülenler listesinden tanıştığınız herkesi şikâyet edebilir veya engelleyebilirsiniz.",
      },
    ],
  },
  removal: {
    heading: "Bir görüntünüz internette",
    text: "Nerede olduğunu bize söyleyin. Buradaki bir profildeyse kaldırır, yeniden yüklenmesini reddederiz. Buradaki bir görüşmeden çıktıysa ne zaman olduğunu söyleyin: hesabı arar, var olan kanıtı mühürleriz. Başka yerler için iki ücretsiz hizmet yardımcı olur; görüntü sizde kalır, yalnızca parmak izi çıkar. İlki yetişkinler, ikincisi görüntüde 18 yaşından küçük olan herkes içindir.",
  },
  minor: {
    heading: "Biri 18 yaşından küçük olabilir",
    text: "Görüşmeden çıkın ve “18 yaşından küçük olabilir” diye şikâyet edin. O hesap hemen kimseyle eşleşmez olur ve bir yönetici bakar. Kendiniz 18 yaşından küçükseniz ve biri sizi sıkıştırıyorsa: bu sizin suçunuz değil, burada kimse sizi suçlamaz. Bize ve güvendiğiniz bir yetişkine söyleyin.",
  },
  danger: {
    heading: "Şu anda tehlikedeyseniz",
    text: "Önce ülkenizin acil durum numarasını arayın. Kendinize zarar vermeyi düşünüyorsanız hemen birini arayın: bu geçer ve yardım edebilecek insanlar var.",
  },
  visit: {
    heading: "Buraya ziyaretiniz",
    text: "Bu sayfayı okumak ne sayılır ne satılır. “Bu sayfadan çık” sizi başlangıç sayfasına götürür, Geri tuşu buraya dönmez. Tarayıcınızın geçmişinde sayfanın adı kalır; oradan silebilirsiniz.",
  },
};
