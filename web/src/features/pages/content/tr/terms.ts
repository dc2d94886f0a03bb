import type { PageContent } from "#lib/page-content.ts";

export const page: PageContent = {
  title: "Hizmet koşulları",
  effective: "2026-11-22",
  short: [
    "18 yaşında veya daha büyük olmalı ve kendinize ait tek bir hesap kullanmalısınız.",
    "Filtresiz tanışmak ücretsizdir; filtreler dakika başına fasulye tutar ve fiyatı önceden görürsünüz.",
    "Topluluk kurallarını çiğneyen erişimini kaybedebilir; her yasağın nedeni bildirilir ve her yasağa itiraz edilebilir.",
  ],
  sections: [
    {
      id: "agreement",
      heading: "Neyi kabul ediyorsunuz",
      blocks: [
        {
          kind: "paragraph",
          text: "Bu koşullar, sizinle Fava’yı işleten {company} arasındaki sözleşmedir. Fava’yı kullanarak bu koşulları ve [topluluk kurallarını](/communityRules) kabul edersiniz. Verileri nasıl kullandığımızı [gizlilik politikası](/privacyPolicy) anlatır.",
        },
      ],
    },
    {
      id: "eligibility",
      heading: "Fava’yı kimler kullanabilir",
      blocks: [
        {
          kind: "paragraph",
          text: "18 yaşında veya daha büyük olmalısınız. Tam doğum tarihinizi sorar ve UTC takvimine göre kendimiz denetleriz. Hizmet 17+ olarak derecelendirilmiştir; görüntülü sohbet için 18 yaş, yasanız daha yüksek bir yaş istiyorsa o yaş geçerlidir.",
        },
        {
          kind: "paragraph",
          text: "Yasaklıyken Fava’yı başka bir hesapla da kullanamazsınız.",
        },
      ],
    },
    {
      id: "account",
      heading: "Hesabınız",
      blocks: [
        {
          kind: "list",
          items: [
            "Google, Facebook veya Apple’daki kendi hesabınızla giriş yaparsınız. Onu iyi koruyun: o hesabı ele geçiren, buradaki hesabınızı da ele geçirir.",
            "Bir kişinin bir hesabı olur ve hesap aynı anda tek bir yerde kullanılır. Başka yerden giriş yapmak önceki oturumu bitirir.",
            "Doğum günü ve cinsiyet bir kez sorulur ve doğru olmalıdır. Sonradan değiştiremezsiniz; bir yanlışlık varsa bize söyleyin.",
            "Hesabınız satılamaz, ödünç verilemez, devredilemez.",
          ],
        },
      ],
    },
    {
      id: "conduct",
      heading: "Nasıl davranırsınız",
      blocks: [
        {
          kind: "paragraph",
          text: "Topluluk kuralları bu koşulların parçasıdır. Kısaca: çıplaklık ve cinsel eylem yok, görüntüde 18 yaşından küçük kimse yok, nefret, tehdit ve taciz yok, izinsiz kayıt yok, dolandırıcılık, satış ve dilenme yok, bot ve sahte video yok.",
        },
        {
          kind: "paragraph",
          text: "Teknik sınırları aşamaz, hizmete veya başkalarının cihazlarına saldıramaz, başkaları hakkında veri toplayamazsınız.",
        },
      ],
    },
    {
      id: "calls",
      heading: "İnsanlarla tanışmak",
      blocks: [
        {
          kind: "paragraph",
          text: "İstekleri birbirine uyan iki kişiyi bağlarız. Uygun birinin çevrim içi olacağına, bunun kim olacağına veya kişinin söylediklerinin doğru olduğuna söz veremeyiz. Ülke ağ adresinden belirlenir ve yanlış olabilir.",
        },
        {
          kind: "paragraph",
          text: "Görüşmeden istediğiniz zaman, neden göstermeden ayrılabilir veya sonraki kişiye geçebilirsiniz. Başkaları da öyle.",
        },
        {
          kind: "paragraph",
          text: "İlk denetim geçilene kadar birbirinizi bulanık görürsünüz; bir görüntü incelenirken yeniden gizlenebilir. Hemen çıkmak için X tuşuna, telefonda kalkana basın: görüşme biter, karşınızdaki engellenir ve şikâyet edilir; {undo} içinde geri almazsanız.",
        },
      ],
    },
    {
      id: "people",
      heading: "Kişiler ve mesajlar",
      blocks: [
        {
          kind: "list",
          items: [
            "Tanıştığınız kişi, son görüşülenler listenizde {recent} kalır. Orada şikâyet edebilir, engelleyebilir, takip edebilir veya yeniden görüşmek isteyebilirsiniz; ikiniz de istemedikçe bu gizli kalır.",
            "Birbirini takip eden iki kişi arkadaştır ve yazışabilir. Başkalarına görüşmeden sonra tek bir mesaj gönderebilirsiniz; kabul edip etmemek onlara kalmıştır.",
            "Engelleme hemen ve iki yönde geçerli olur; kimseye söylenmez.",
          ],
        },
      ],
    },
    {
      id: "content",
      heading: "Gösterdikleriniz ve yazdıklarınız",
      blocks: [
        {
          kind: "paragraph",
          text: "Gösterdiğiniz, söylediğiniz ve yazdığınız size aittir. Bunları tanıştığınız kişiye iletmemize ve gizlilik politikasında anlatıldığı gibi denetlememize izin verirsiniz; bunun ötesine izin vermiş olmazsınız.",
        },
        {
          kind: "paragraph",
          text: "Gösterdikleriniz üzerinde hakkınız olmalıdır ve başkalarının size gösterdiklerini yaymazsınız.",
        },
      ],
    },
    {
      id: "beans",
      heading: "Fasulyeler",
      blocks: [
        {
          kind: "paragraph",
          text: "Fasulyeler, cinsiyet ve ülke filtreleri gibi Fava’nın ücretli bölümlerini kullanma lisansıdır. Para değildir, getirisi yoktur; aşağıdaki iadeler dışında satılamaz, başkasına verilemez, paraya çevrilemez. Hareket eden her fasulye hesap dökümünüzde görünür.",
        },
        {
          kind: "list",
          items: [
            "Dakika fiyatı, başlamadan önce fasulye ve para tutarı olarak gösterilir ve eşleşme kurulduğunda sabitlenir.",
            "Yalnızca kendi filtreleriniz için ödersiniz. İki filtre birlikte asla ayrı ayrı toplamlarından pahalı olmaz.",
            "Ücretli filtre için bakiyenizin tam bir dakikayı karşılaması gerekir.",
            "Süre yalnızca ikinizin de görüntüsü varken işler. Ararken, yeniden bağlanırken, karşınızdakinin kamerası kapalıyken ve denetim görüntüyü gizlerken durur. Kendi kameranızı kapatmak süreyi durdurmaz. Görüntünün durduğunu ya da bağlantının koptuğunu yalnızca sizin tarayıcınız bildiriyorsa süre bir görüşmede birkaç saniye durur, sonra işlemeyi sürdürür.",
            "Günün ilk {freeMatches} filtreli eşleşmesinde, görüşmede ilk {free} ücretsizdir.",
            "Kullandığınız saniyeler hesaplanır ve bütün görüşme için bir kez, tam fasulyeye yukarı yuvarlanır.",
            "Günlük harcama sınırı (UTC gününe göre) hemen düşürülebilir, {capRaise} sonra yükseltilebilir.",
          ],
        },
      ],
    },
    {
      id: "buying",
      heading: "Fasulye satın almak",
      blocks: [
        {
          kind: "paragraph",
          text: "Bir paket ya da en küçük paketin birim fiyatıyla belirli bir miktar satın alırsınız. Fiyat ve para birimi ödemeden önce gösterilir. Ödeme, ödeme yolunuza göre PayerMax, Coda veya Stripe sayfasında yapılır; kartınızı asla görmeyiz.",
        },
        {
          kind: "paragraph",
          text: "Sağlayıcı ödemeyi sunucumuza onayladığında fasulyeler sizin olur; her sipariş için tam bir kez. Bir şey uyuşmazsa siparişe bir insan bakar.",
        },
      ],
    },
    {
      id: "refunds",
      heading: "İadeler",
      blocks: [
        {
          kind: "list",
          items: [
            "Tek bir fasulyesini bile kullanmadığınız bir satın alma {withdraw} içinde hesap dökümünüzden geri alınabilir. Önce en eski satın alma kullanılır ve para geldiği yoldan geri döner. Bu kendiliğinden olmazsa {email} adresine yazın.",
            "Görüşme denetim nedeniyle kesildiğinde, başarısız olduğunda veya karşınızdakinin sahte olduğu doğrulandığında fasulyeler kendiliğinden geri gelir.",
            "Yanlış bir yasaktan sonra, yasağın size kaybettirdiği fasulyeler geri verilir.",
            "Fasulyeleri harcandıktan sonra bir ödeme geri alınırsa hesabınız borcu gösterir, filtreler kapanır ve sonraki satın alma önce borcu öder.",
          ],
        },
        {
          kind: "paragraph",
          text: "Yasanın size tüketici olarak verdiği haklar saklıdır.",
        },
      ],
    },
    {
      id: "enforcement",
      heading: "Kurallar çiğnendiğinde",
      blocks: [
        {
          kind: "paragraph",
          text: "Bir hesabı uyarabilir, duraklatabilir veya yasaklayabiliriz. Yazılım tek başına {pause} duraklatabilir; {pauseMax} içinde doğrulanmış ikinci bir olayda bir insan karar verene kadar, en fazla {pauseMax} duraklatabilir. Yalnızca şikâyetler yüzünden konan duraklatma, kimse karar vermediyse {pauseMax} sonra biter.",
        },
        {
          kind: "paragraph",
          text: "Daha uzun her yasağa bir insan karar verir ve yasakla birlikte {strike} sayılan bir ihlal kaydı gelir. Kural olarak ilk yasak bir gün, ikincisi bir hafta sürer, üçüncüsü süresizdir. Süresiz yasak için iki kişi gerekir: ikincisi onaylayana kadar geçicidir, onay gelmezse en geç {unseconded} sonra biter. Yasak parayla kaldırılamaz.",
        },
        {
          kind: "paragraph",
          text: "Her yasakta size ne gördüğümüzü, hangi kuralla ilgili olduğunu, kararı insanın mı yazılımın mı verdiğini, ne zamana kadar sürdüğünü ve nasıl itiraz edeceğinizi söyleriz.",
        },
      ],
    },
    {
      id: "appeals",
      heading: "İtirazlar",
      blocks: [
        {
          kind: "paragraph",
          text: "Her yasağa altı ay boyunca bir kez, yasaklıyken de itiraz edebilirsiniz: yasak bildirimindeki “Bu karara itiraz et” düğmesine basın ya da hesap numaranızla {email} adresine yazın. İtiraza, kararı vermemiş biri bakar. {appealAnswer} içinde itiraz sayfasında yanıtlamayı hedefleriz; daha uzun süren itiraz listenin başına ve bir yöneticiye çıkar. Yanıldıysak yasak ve ihlal kaydı kalkar, kesilen görüşmenin tuttuğu geri gelir.",
        },
        {
          kind: "paragraph",
          text: "Avrupa Birliği’nde yaşıyorsanız onaylı bir mahkeme dışı uyuşmazlık çözüm kurumuna da başvurabilirsiniz. Mahkeme yolu her zaman açıktır.",
        },
      ],
    },
    {
      id: "notices",
      heading: "Yasa dışı içeriği bildirmek",
      blocks: [
        {
          kind: "paragraph",
          text: "Hesabı olsun olmasın herkes, Fava’daki yasa dışı bir şeyi bize bildirebilir: ürünün içinde şikâyet ederek ya da {email} adresine e-postayla. Ne olduğunu, nerede olduğunu (hesap numarası, tarih ve saat) ve neden yasa dışı gördüğünüzü yazın. Bir insan karar verir; ne karar verildiğini ve nasıl itiraz edileceğini size söyleriz.",
        },
        {
          kind: "paragraph",
          text: "Aynı adres, Dijital Hizmetler Yasası uyarınca kullanıcılar ve makamlar için İngilizce iletişim noktamızdır. Kaç şikâyet, yasak ve itiraz olduğu [Şeffaflık](/transparency) sayfasındadır.",
        },
      ],
    },
    {
      id: "service",
      heading: "Hizmet",
      blocks: [
        {
          kind: "paragraph",
          text: "Fava’yı çalışır tutmak için uğraşırız; ama her zaman çalışacağına, hatasız olacağına veya her bölümün sonsuza dek kalacağına söz veremeyiz. Bölümleri değiştirebilir, ekleyebilir veya kaldırabiliriz. Değiştirdiğimiz fiyatlar sürmekte olan bir görüşmeye asla uygulanmaz.",
        },
      ],
    },
    {
      id: "liability",
      heading: "Sorumluluk, açık sözlerle",
      blocks: [
        {
          kind: "paragraph",
          text: "Kasten veya ağır ihmalle verdiğimiz zarardan ve yasanın dışlamamıza izin vermediği her durumda sorumluyuz. Bunun dışında yalnızca yasanın gerektirdiği ölçüde sorumluyuz.",
        },
        {
          kind: "paragraph",
          text: "Başkalarının gösterdiklerinden, söylediklerinden veya vaatlerinden ve bağlantınız ya da cihazınız gibi denetimimiz dışındaki şeylerden sorumlu değiliz. Burada tanıştığınız birine asla para göndermeyin.",
        },
      ],
    },
    {
      id: "ending",
      heading: "Sözleşmenin sona ermesi",
      blocks: [
        {
          kind: "paragraph",
          text: "İstediğiniz zaman bırakabilir ve hesabınızı “Hesap ve veriler” bölümünden ya da {email} adresine yazarak silebilirsiniz. Dokunulmamış satın almalar iade edilir ve siz onaylamadan önce hangi fasulyelerin kaybolacağını söyleriz. {restore} içinde yeniden giriş yaparak fikrinizi değiştirebilirsiniz.",
        },
        {
          kind: "paragraph",
          text: "Bu koşulları ağır biçimde veya tekrar tekrar çiğnerseniz erişiminize son verebiliriz; o zaman yasak ve itiraz kuralları geçerlidir.",
        },
      ],
    },
    {
      id: "changes",
      heading: "Değişiklikler",
      blocks: [
        {
          kind: "paragraph",
          text: "Bu koşullar değiştiğinde en üstteki tarih de değişir. Önemli değişiklikleri yürürlüğe girmeden önce burada duyururuz. Kabul etmiyorsanız Fava’yı kullanmayı bırakabilir ve hesabınızı sildirebilirsiniz.",
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
