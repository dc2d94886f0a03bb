import type { PageContent } from "#lib/page-content.ts";

export const page: PageContent = {
  title: "Gizlilik politikası",
  effective: "2026-11-22",
  short: [
    "Görüşmeleriniz kaydedilmez. Konuşurken yazılım tek tek görüntülere bakar; bir bulgu veya şikâyet olursa kanıtlar {evidenceKept} saklanır, olmazsa hiçbir görüntü saklanmaz.",
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
          text: "Bu politika, yukarıdaki günden beri çalıştığı biçimiyle hizmetin tamamı için geçerlidir.",
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
            "Sizden: bir kez sorulan doğum tarihiniz ve cinsiyetiniz; kiminle tanışmak istediğiniz; takma adınız, kendiniz hakkında yazdıklarınız, belirttiğiniz yer ve fotoğraflarınız; mesajlarınız; kimi takip ettiğiniz, beğendiğiniz, şikâyet ettiğiniz, engellediğiniz veya yeniden görmek istediğiniz.",
            "Fava’yı kullanırken: giriş yaptığınız ağ adresi ve kendi sunucumuzda buna göre belirlenen ülke; tarayıcınızın türü ve dili; cihazınız için rastgele bir numara; hangi hesapların ne zaman karşılaştığı ve görüşmenin nasıl bittiği; hareket eden her fasulye.",
            "Fasulye satın aldığınızda: numarası, paketi, tutarı, para birimi ve ödeme yoluyla sipariş ve sonucu.",
            "İtiraz ettiğinizde veya bize yazdığınızda: metniniz, verdiyseniz e-posta adresiniz ve yanıtımız.",
          ],
        },
        {
          kind: "paragraph",
          text: "Tam konumunuzu sormayız ve hakkınızda veri satın almayız.",
        },
      ],
    },
    {
      id: "seen",
      heading: "Tanıştığınız kişiler ne görür",
      blocks: [
        {
          kind: "list",
          items: [
            "Görüşmede karşınızdaki kişi kameranızın ve mikrofonunuzun ilettiğini görür ve duyar, yazdıklarınızı okur; takma adınızı, profil resminizi, cinsiyetinizi ve ülkenizi görür. Takma ad ve resim başlangıçta giriş yaptığınız hesabınkilerdir; bu yüzden adını ve resmini göstermekten rahatsız olmayacağınız bir hesap seçin.",
            "Profilinizde ayrıca hesap numaranız, kendiniz ve yeriniz hakkında yazdıklarınız ve bir insanın onayladığı fotoğraflar görünür. Arkadaşlar, yani birbirini takip eden iki kişi, çevrim içi olup olmadığınızı ve mesajlarını okuyup okumadığınızı görür. Yabancılar sizi hesap numaranızla, profilinizden kapatmadıkça takma adınızla veya yalnızca cinsiyet, yaş ve ülkeyle de bulur. Arama yaşla sınırlandırılabilir: bir yaş aralığı arayan, yaşınızın o aralıkta olduğunu öğrenir.",
            "Doğum gününüzü, ağ adresinizi, cihaz numaranızı ve hangi sağlayıcıyı kullandığınızı asla görmezler. Ses ve görüntü şifreli olarak bir aktarıcı üzerinden gider; sunucumuz iki tarayıcının birbirine ilettiği bilgilerden ağ adreslerini çıkarır. Böylece değiştirilmiş bir uygulama bile bunları öğrenemez.",
            "Bir başkasını izinsiz kaydetmek yasaktır. Birinin ikinci bir kamerayı ekrana doğrultmasını engelleyemeyiz; yalnızca bir yabancının görmesinden rahatsız olmayacağınız şeyleri gösterin.",
          ],
        },
      ],
    },
    {
      id: "checks",
      heading: "Görüntüler nasıl denetlenir",
      blocks: [
        {
          kind: "paragraph",
          text: "İki kişiyi de korumak için, görüşmeden yaklaşık {inspection} arayla, sunucumuzun seçtiği anlarda tek kare görüntü alınır: kendi kameranızdan, arada bir de karşı uca ulaşandan. Kendi sunucularımızdaki programlar bunda çıplaklık, cinsel eylem ve başka yerlere götüren kodlar olup olmadığına bakar. Görüntü hiçbir dış şirkete gitmez. İlk denetim geçilene kadar karşınızdaki sizi bulanık görür.",
        },
        {
          kind: "paragraph",
          text: "Bir şey bulunmazsa görüntüye kimse bakmaz: her açıdan en fazla son üç görüntü bellekte kalır ve görüşmeden {remembered} sonra yok olur. Bu programlar dinlemez, kimin kim olduğunu tanımaz, yaş tahmin etmez. Gözden kaçırdıkları ve yanıldıkları olur; bu yüzden insanlar karar verir.",
        },
        {
          kind: "paragraph",
          text: "Bir şey bulunursa ya da biri şikâyet ederse, henüz bellekte olan görüntüler ve son yazışma satırları kanıt olarak mühürlenir: tek tek şifrelenir ve bir moderatör tarafından yalnızca o olay için tek tek açılır. Her bakış kaydedilir. Biri 18 yaşından küçük olabilecekse hiçbir görüntü saklanmaz; yalnızca parmak izi ve puanlar kalır.",
        },
        {
          kind: "list",
          items: [
            "Yüklediğiniz fotoğraflar ve profil resimleri, çekildikleri yer gibi gizli veriler olmadan yeniden yazılır, aynı programlarca denetlenir ve başkalarına ancak bir insan onayladıktan sonra gösterilir. İçeriği nedeniyle kaldırılan bir resmin adsız bir parmak izini saklarız; böylece kimse onu yeniden yükleyemez.",
            "Mesajlar, görüşmedeki yazışmalar ve profil metinleri sözcük listeleri ve kalıplarla denetlenir. Kurallarımızın yasakladığı iletişim bilgisi, tehdit ve hakaret gibi şeyler durdurulur veya maskelenir. Durdurulan bir metnin yalnızca durdurulduğunu ve nedenini saklarız, metni asla. Yazılım ayrıca birinin ne sıklıkta geçtiğini veya satır yinelediğini sayar, yasaklı bir hesapla paylaşılan cihaz veya ağı fark eder: bu, bir insanın bakmasına yol açar, kendiliğinden başka bir sonucu olmaz.",
            "Yazılım tek başına kimseyi yasaklamaz. Bir hesabı {pause} duraklatabilir; {pauseMax} içinde doğrulanmış ikinci bir olayda ise bir insan karar verene kadar, en fazla {pauseMax} duraklatabilir. Daha uzun olan her şeye bir insan, süresiz yasağa iki kişi karar verir.",
          ],
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
            [
              "Sorun bulunmayan tek kare görüntüler",
              "Görüşmenin iki ucu; yazılım denetler",
              "Yalnızca bellekte; görüşmeden {remembered} sonra yok olur",
            ],
            [
              "Bir şikâyet veya bulgunun kanıtı",
              "Görüşmenin iki ucu, şikâyet edilen mesaj",
              "{evidenceKept}, mühürlü; olay veya itiraz açıkken daha uzun",
            ],
            ["Şikâyetler", "Şikâyet eden kişi", "{reportsKept}; yalnızca bir insan karar verene kadar daha uzun"],
            ["Girişlerin ağ adresleri, cihazları ve zamanları", "Giriş yaptığınızda sunucumuz", "{addressesKept}"],
            [
              "Görüşmedeki yazışmalar",
              "Siz ve karşınızdaki kişi",
              "Yalnızca bellekte; kanıt olmadıkça görüşmeden {remembered} sonra yok olur",
            ],
            [
              "Mesajlar",
              "Siz ve karşınızdaki kişi",
              "İkinizden biri hesabını silene kadar; o zaman metin o taraftan kalkar",
            ],
            ["Fotoğraflar ve profil resimleri", "Siz ve giriş sağlayıcınız", "Siz kaldırana veya değiştirene kadar"],
            ["Kaldırılan resimlerin parmak izleri", "Resim; adınız olmadan", "Süresiz"],
            ["Bir metnin durdurulduğu ve nedeni", "Sunucumuz", "{reportsKept}"],
            ["Yazılımın fark ettiği geçmeler, yinelenen satırlar, paylaşılan cihazlar", "Sunucumuz", "{signalsKept}"],
            [
              "Profil, doğum günü, cinsiyet, ülke, tercihler, takip ettiğiniz, beğendiğiniz veya engellediğiniz kişiler",
              "Siz, giriş sağlayıcınız ve sunucumuz",
              "Hesabınız var olduğu sürece",
            ],
            [
              "Hangi hesapların ne zaman karşılaştığı ve görüşmenin nasıl bittiği",
              "Sunucumuz",
              "Hesabınız var olduğu sürece, sonra kimsenin adını taşımayan bir numarayla",
            ],
            [
              "Hesabınız hakkındaki kararlar, itirazlar ve moderatörlerin yaptıklarının kaydı",
              "Moderatörler, yöneticiler ve yazılım",
              "Hesabınız var olduğu sürece, sonra kimsenin adını taşımayan bir numarayla; ihlal kaydı {strike} sonra sayılmaz",
            ],
            ["İstediğiniz veri kopyası", "Sunucumuz", "{exportKept}"],
            [
              "Siparişler ve fasulyeler",
              "Siz, sunucumuz ve ödeme sağlayıcısı",
              "Yasanın gerektirdiği süre, adınız yerine bir numarayla",
            ],
          ],
        },
        {
          kind: "paragraph",
          text: "Silinen bir hesap {restore} boyunca geri gelebilir. Sonra verileri silinir; kalması gereken kayıtlar ise kimliğinizden ayrılır. Giriş yaptığınız hesapla bağ da bırakılır, yeter ki süren bir yasak olmasın: silmek yasağın etrafından dolaşma yolu değildir.",
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
            "Google, Facebook veya Apple, Fava’ya giriş yaptığınızı öğrenir. Giriş yapmamışken başlangıç sayfamız ve giriş penceresi bu üçünün giriş betiklerini de yükler; bunlar ağ adresinizi görür ve tarayıcınızda kendi verilerini saklayabilir. Orada kendi gizlilik politikaları geçerlidir.",
            "Sesi ve görüntüyü taşıyan aktarıcı, iki ucun ağ adreslerini ve şifreli verileri görür. Taşıdığını saklamaz.",
            "Fasulye satın aldığınızda ödemeyi, ödeme yolunuza göre PayerMax, Coda veya Stripe alır. Kart bilgileriniz oraya gider, bize asla gelmez; biz sipariş numarasını, tutarı ve sonucu alırız.",
            "Bizim için sunucu veya depolama işleten şirketler yalnızca talimatlarımıza göre çalışır.",
            "Yetkili makamlar yalnızca yasa bizi zorunlu kıldığında veri alır ve her seferinde yasal dayanağı kaydederiz.",
          ],
        },
        {
          kind: "paragraph",
          text: "Veri satmayız. Fava’da reklam yoktur ve sayfalarımızda kimse sizi reklam veya istatistik için izlemez.",
        },
      ],
    },
    {
      id: "browser",
      heading: "Tarayıcınızda ne saklanır",
      blocks: [
        {
          kind: "paragraph",
          text: "Tarayıcınız sayfanın ihtiyaç duyduklarını bu tablodaki adlarla saklar. Hiçbiri çerez değildir ve çerez yerleştirmeyiz.",
        },
        {
          kind: "table",
          head: ["Ad", "Ne için", "Ne kadar süre"],
          rows: [
            [
              "loginToken, tencentCloudToken, uid, externalId, nickname, user_avatar, role, fava",
              "Giriş yaptığınız ve kim olduğunuz; isteklerinizi imzalayan ve dışarı okunamayan bir anahtarla",
              "Çıkış yapana kadar",
            ],
            [
              "imei, filterGender, filterCountry, keepBlurred, selfCorner, panicKnown, deskBlur, deskGrey",
              "Bu cihaz için rastgele bir numara, kiminle tanışmak istediğiniz ve görüntülerin size nasıl gösterildiği",
              "Çıkış yapana kadar",
            ],
            [
              "roomId, agoraToken, holdPageKey, rechargeToken, chargeStatus, rechargePrice, waitingOrder",
              "Süren görüşme ve ödeme ile bunların hangi sekmede olduğu",
              "Bitene kadar, en geç çıkış yapana kadar",
            ],
            [
              "unsentPanic, appealDraft",
              "Henüz gönderilmemiş bir şikâyet veya itiraz",
              "Gönderilene kadar, en geç çıkış yapana kadar",
            ],
            [
              "language, theme, neverShowRule",
              "Diliniz, açık veya koyu renkler ve güvenlik kurallarının yeniden gösterilmemesi",
              "Tarayıcı verilerinizi silene kadar",
            ],
          ],
        },
        {
          kind: "paragraph",
          text: "Tarayıcınız daha hızlı açılmaları için sayfalarımızın dosyalarını da saklar. Çıkış yapmak, son satır dışında yukarıdakilerin hepsini siler.",
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
          kind: "list",
          items: [
            "Bütün bağlantılar şifrelidir. Oturumunuzu açık tutan anahtarlar yalnızca geri döndürülemeyen bir parmak izi olarak saklanır. Bizim için çalışanlar yalnızca görevlerinin gerektirdiğini görür.",
            "Kişiler arasındaki mesajlar uçtan uca şifreli değildir: sunucumuzda dururlar ve bir moderatör yalnızca şikâyet edileni görür. Moderatörler hesabı, olayı kanıtlarıyla ve önceki kararları görür. Her karar ve kanıta her bakış, kimsenin değiştiremeyeceği bir günlüğe yazılır.",
          ],
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
            "Verilerinizin bir kopyasını almak: “Hesap ve veriler”, insanların ve programların okuyabileceği tek bir dosya hazırlar ve {exportKept} saklar.",
            "Yanlışı düzeltmek: metinleri ve fotoğrafları istediğiniz zaman, takma adı {nameChange} içinde bir kez. Doğum gününü, cinsiyeti ve ülkeyi kendiniz değiştiremezsiniz; biri yanlışsa bize söyleyin.",
            "Hesabınızı silmek; bu da “Hesap ve veriler” bölümündedir. Dokunmadığınız satın almalar iade edilir, siz onaylamadan önce hangi fasulyelerin kaybolacağını söyleriz ve {restore} boyunca geri gelebilirsiniz.",
            "Verilerinizin bir kullanımına itiraz etmek veya onu sınırlatmak.",
            "Yaşadığınız yerdeki veri koruma kurumuna şikâyette bulunmak.",
          ],
        },
        {
          kind: "paragraph",
          text: "Yasaklıyken kopya ve silme, yasak bildiriminden açılan itiraz sayfasındadır. Hesap numaranızla {email} adresine de yazabilirsiniz. Bunların hiçbiri ücretli değildir.",
        },
      ],
    },
    {
      id: "minors",
      heading: "18 yaşından küçükler",
      blocks: [
        {
          kind: "list",
          items: [
            "Fava yalnızca yetişkinler içindir. Doğum tarihine göre 18 yaşından küçük olan içeri alınmaz; sunucumuz o tarihten yalnızca giriş hesabının bir parmak izini ve yeniden deneyebileceği günü saklar.",
            "18 yaşından küçük olabilecek herkes hemen eşleşmeden çıkarılır. Olaya yalnızca yöneticiler, görüntü olmadan bakar ve her bakış kaydedilir. Bir çocuğun Fava’yı kullandığını düşünüyorsanız şikâyet edin veya {email} adresine yazın. 18 yaşından küçüklere yardımcı olanlar [güvenlik merkezindedir](/safety).",
          ],
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
      blocks: [
        {
          kind: "paragraph",
          text: "{company}, {address}. E-posta: {email}.",
        },
      ],
    },
  ],
};
