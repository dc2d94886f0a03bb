import type { PageContent } from "#lib/page-content.ts";

export const page: PageContent = {
  title: "Gizlilik politikası",
  effective: "2026-11-21",
  short: [
    "Görüşmeleriniz kaydedilmez. Konuşurken yazılım tek tek görüntülere bakar; sorun bulunmayan görüntüler saklanmaz.",
    "Tanıştığınız kişiler ağ adresinizi, doğum gününüzü ve ülkenizden öte nerede olduğunuzu asla öğrenemez.",
    "Verilerinizin bir kopyasını, düzeltilmesini veya silinmesini istediğiniz zaman, yasaklıyken bile talep edebilirsiniz.",
  ],
  sections: [
    {
      id: "who",
      heading: "Biz kimiz",
      blocks: [
        {
          kind: "paragraph",
          text: "Fava’yı {company} işletir ve verilerinizin nasıl kullanılacağına o karar verir. Bize {email} adresinden veya postayla {address} adresinden ulaşabilirsiniz.",
        },
        {
          kind: "paragraph",
          text: "Bu politika hizmetin tamamı için geçerlidir. Fava’nın bazı bölümleri adım adım açılır: böyle bir bölüm hakkında burada yazılanlar, o bölümün açıldığı günden itibaren geçerlidir.",
        },
      ],
    },
    {
      id: "collect",
      heading: "Neleri topluyoruz",
      blocks: [
        {
          kind: "list",
          items: [
            "Giriş yaptığınız sağlayıcıdan (Google, Facebook veya Apple): hesabınız için kullandığı numara, adınız ve resminiz. Ad ve resim, Fava’daki takma adınız ve profil resminiz olur. Parolanızı asla görmez, kişilerinizi ve paylaşımlarınızı okumayız. Sağlayıcı bir e-posta adresi iletirse onu saklamayız.",
            "Sizden: bir kez sorulan doğum tarihiniz ve cinsiyetiniz; kiminle tanışmak istediğiniz; profilinizde ve mesajlarda yazdıklarınız; kimi şikâyet ettiğiniz, takip ettiğiniz veya engellediğiniz.",
            "Fava’yı kullanırken: giriş yaptığınız ağ adresi ve buna göre belirlenen ülke, tarayıcınızın türü ve dili, cihazınız için rastgele bir numara, hangi hesapların ne zaman karşılaştığı ve hareket eden her fasulye.",
            "Bize yazdığınızda: mesajınız ve yanıtımız.",
          ],
        },
        { kind: "paragraph", text: "Tam konumunuzu sormayız ve hakkınızda veri satın almayız." },
      ],
    },
    {
      id: "seen",
      heading: "Tanıştığınız kişiler ne görür",
      blocks: [
        {
          kind: "paragraph",
          text: "Görüşmede karşınızdaki kişi kameranızın ve mikrofonunuzun ilettiğini görür ve duyar, yazdıklarınızı okur; takma adınızı, profil resminizi, cinsiyetinizi ve ülkenizi görür. Takma ad ve resim başlangıçta giriş yaptığınız hesabınkilerdir; bu yüzden adını ve resmini göstermekten rahatsız olmayacağınız bir hesap seçin.",
        },
        {
          kind: "paragraph",
          text: "Doğum gününüzü, ağ adresinizi, cihaz numaranızı ve hangi sağlayıcıyı kullandığınızı asla görmezler. Ses ve görüntü şifreli olarak bir aktarıcı üzerinden gider; sunucumuz iki tarayıcının birbirine ilettiği bilgilerden ağ adreslerini çıkarır. Böylece değiştirilmiş bir uygulama bile bunları öğrenemez.",
        },
        {
          kind: "paragraph",
          text: "Bir başkasını izinsiz kaydetmek yasaktır. Birinin ikinci bir kamerayı ekrana doğrultmasını engelleyemeyiz; yalnızca bir yabancının görmesinden rahatsız olmayacağınız şeyleri gösterin.",
        },
      ],
    },
    {
      id: "checks",
      heading: "Görüntüler nasıl denetlenir",
      blocks: [
        {
          kind: "paragraph",
          text: "İki kişiyi de korumak için, görüşmeden yaklaşık her on saniyede bir, sunucumuzun seçtiği anlarda tek kare görüntüler alınır. Yazılım bunlarda çıplaklık ve kurallarımızın yasakladığı başka şeyler olup olmadığına bakar. Bir şey bulunmazsa görüntü saklanmaz ve onu kimse görmemiş olur.",
        },
        {
          kind: "paragraph",
          text: "Bir şey bulunursa ya da biri görüşmeyi şikâyet ederse, her iki uçtan görüntüler kanıt olarak mühürlenebilir. Bunları bir moderatör yalnızca o olay için açar.",
        },
        {
          kind: "paragraph",
          text: "Yazılım tek başına kimseyi yasaklamaz. Bir hesabı 15 dakika duraklatabilir; 24 saat içinde doğrulanmış ikinci bir olayda ise bir insan karar verene kadar, en fazla 24 saat duraklatabilir. Daha uzun olan her şeye bir insan, süresiz yasağa iki kişi karar verir.",
        },
      ],
    },
    {
      id: "keep",
      heading: "Ne kadar süre saklarız",
      blocks: [
        {
          kind: "table",
          head: ["Ne", "Nereden gelir", "Ne kadar süre"],
          rows: [
            ["Görüşmenin sesi ve görüntüsü", "Kameranız ve mikrofonunuz", "Kaydedilmez"],
            ["Sorun bulunmayan tek kare görüntüler", "Kameranız; yazılım denetler", "Saklanmaz"],
            ["Bir şikâyet veya bulgunun kanıtı", "Görüşmenin iki ucu", "30 gün, mühürlü"],
            ["Şikâyetler", "Şikâyet eden kişi", "180 gün"],
            ["Girişlerin ağ adresleri", "Giriş yaptığınızda sunucumuz", "90 gün"],
            ["Görüşmedeki yazışmalar", "Siz ve karşınızdaki kişi", "İletilir, saklanmaz; kanıt olmadıkça"],
            [
              "Mesajlar",
              "Siz ve karşınızdaki kişi",
              "İkinizden biri hesabını silene kadar; o zaman metin o taraftan kalkar",
            ],
            [
              "Profil, doğum günü, cinsiyet, ülke, tercihler, takip ettiğiniz veya engellediğiniz kişiler",
              "Siz, giriş sağlayıcınız ve sunucumuz",
              "Hesabınız var olduğu sürece",
            ],
            [
              "Hangi hesapların ne zaman karşılaştığı ve görüşmenin nasıl bittiği",
              "Sunucumuz",
              "Hesabınız var olduğu sürece",
            ],
            [
              "Hesabınız hakkındaki kararlar",
              "Moderatörler",
              "Yürürlükte oldukları sürece ve itiraz edebileceğiniz altı ay boyunca",
            ],
            [
              "Siparişler ve fasulyeler",
              "Siz, sunucumuz ve ödeme sağlayıcısı",
              "Yasanın gerektirdiği süre, adınız yerine bir numarayla",
            ],
          ],
        },
        {
          kind: "paragraph",
          text: "Silinen bir hesap 14 gün boyunca geri gelebilir. Sonra verileri silinir; yasanın saklamamızı zorunlu kıldığı kayıtlar ise kimliğinizden ayrılır.",
        },
      ],
    },
    {
      id: "share",
      heading: "Verileri başka kim alır",
      blocks: [
        {
          kind: "list",
          items: [
            "Google, Facebook veya Apple, Fava’ya giriş yaptığınızı öğrenir. Orada kendi gizlilik politikası geçerlidir.",
            "Sesi ve görüntüyü taşıyan aktarıcı, iki ucun ağ adreslerini ve şifreli verileri görür. Taşıdığını saklamaz.",
            "Fasulye satın aldığınızda ödemeyi bir ödeme sağlayıcısı alır. Kart bilgileriniz sağlayıcıya gider, bize asla gelmez; biz sipariş numarasını, tutarı ve sonucu alırız.",
            "Bizim için sunucu veya depolama işleten şirketler yalnızca talimatlarımıza göre çalışır.",
            "Yetkili makamlar yalnızca yasa bizi zorunlu kıldığında veri alır ve her seferinde yasal dayanağı kaydederiz.",
          ],
        },
        {
          kind: "paragraph",
          text: "Veri satmayız. Fava’da reklam yoktur ve sayfalarımızda başka hiç kimse sizi izlemez.",
        },
      ],
    },
    {
      id: "browser",
      heading: "Tarayıcınızda ne saklanır",
      blocks: [
        {
          kind: "paragraph",
          text: "Tarayıcınız sayfanın ihtiyaç duyduklarını saklar: giriş yapmış olduğunuzu, eşleşme tercihlerinizi, dilinizi, açık veya koyu renkleri, güvenlik kurallarını yeniden görmek isteyip istemediğinizi ve cihaz için rastgele bir numarayı. Reklam çerezi yoktur.",
        },
        {
          kind: "paragraph",
          text: "Çıkış yapmak; dil, renkler ve güvenlik kurallarını yeniden görmeme tercihi dışında hepsini siler.",
        },
      ],
    },
    {
      id: "why",
      heading: "Verileri neden kullanabiliyoruz",
      blocks: [
        {
          kind: "list",
          items: [
            "İstediğiniz hizmeti vermek için: hesabınız, eşleşme, görüşmeler ve fasulyeler.",
            "İnsanları güvende, hizmeti dürüst tutmak için: denetimler, şikâyetler ve giriş adresleri. Fava’yı kullanan herkesin bunda yararı vardır; bizim de.",
            "Yasa bizi zorunlu kıldığı için: sipariş kayıtları ve makamların yasal talepleri.",
            "İzin verdiğiniz için: kameranız ve mikrofonunuz. Bunu istediğiniz zaman tarayıcınızdan geri alabilirsiniz.",
          ],
        },
      ],
    },
    {
      id: "protect",
      heading: "Verileri nasıl koruruz",
      blocks: [
        {
          kind: "paragraph",
          text: "Bütün bağlantılar şifrelidir. Oturumunuzu açık tutan anahtarlar yalnızca geri döndürülemeyen bir parmak izi olarak saklanır. Bizim için çalışanlar yalnızca görevlerinin gerektirdiğini görür.",
        },
      ],
    },
    {
      id: "rights",
      heading: "Haklarınız",
      blocks: [
        {
          kind: "list",
          items: [
            "Verilerinizin bir kopyasını, başka yere taşıyabileceğiniz biçimde de olmak üzere almak.",
            "Yanlış verileri düzelttirmek. Doğum gününü, cinsiyeti ve ülkeyi kendiniz değiştiremezsiniz; biri yanlışsa bize söyleyin.",
            "Hesabınızı sildirmek. Dokunmadığınız satın almalar iade edilir ve siz onaylamadan önce hangi fasulyelerin kaybolacağını söyleriz.",
            "Verilerinizin bir kullanımına itiraz etmek veya onu sınırlatmak.",
            "Yaşadığınız yerdeki veri koruma kurumuna şikâyette bulunmak.",
          ],
        },
        {
          kind: "paragraph",
          text: "Hesap numaranızla {email} adresine yazın. Ücretsizdir ve yasaklıyken de geçerlidir.",
        },
      ],
    },
    {
      id: "minors",
      heading: "18 yaşından küçükler",
      blocks: [
        {
          kind: "paragraph",
          text: "Fava yalnızca yetişkinler içindir. Doğum tarihine göre 18 yaşından küçük olan içeri alınmaz; sunucumuz o tarihten yalnızca giriş hesabının bir parmak izini ve yeniden deneyebileceği günü saklar.",
        },
        {
          kind: "paragraph",
          text: "18 yaşından küçük olabilecek herkes hemen eşleşmeden çıkarılır ve olaya yalnızca yöneticiler bakar. Bir çocuğun Fava’yı kullandığını düşünüyorsanız {email} adresine yazın.",
        },
      ],
    },
    {
      id: "changes",
      heading: "Değişiklikler",
      blocks: [
        {
          kind: "paragraph",
          text: "Bu politika değiştiğinde en üstteki tarih de değişir. Önemli değişiklikleri yürürlüğe girmeden önce burada duyururuz.",
        },
      ],
    },
    {
      id: "contact",
      heading: "İletişim",
      blocks: [{ kind: "paragraph", text: "{company}, {address}. E-posta: {email}." }],
    },
  ],
};
