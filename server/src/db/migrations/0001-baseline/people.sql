-- Users, their sign-in identities, sessions, pictures and settings.

-- At most 40 letters: one character can decompose into many, and a page cursor contains the whole name. The letters
-- come from a table, because the database's `lower` depends on its locale.
create function fold_name(name text) returns text language sql immutable strict parallel safe as $$
  select left(normalize(translate(
    regexp_replace(
      regexp_replace(
        normalize(translate(name, '‘’‛ʻʼʹ′`´＇׳', repeat('''', 11)), NFKD),
        '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u08d3-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u00ad\u061c\u0640\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]', '', 'g'
      ),
      '[ßẞ]', 'ss', 'g'
    ),
    'ٱىیکةھہıøłđħABCDEFGHIJKLMNOPQRSTUVWXYZÆÐØÞĐĦŁŊŒŦƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǤǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖႠႡႢႣႤႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭᎮᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽᎾᎿᏀᏁᏂᏃᏄᏅᏆᏇᏈᏉᏊᏋᏌᏍᏎᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲀᲁᲂᲃᲄᲅᲆᲇᲈᲉᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿẞỺỼỾℲↃⰀⰁⰂⰃⰄⰅⰆⰇⰈⰉⰊⰋⰌⰍⰎⰏⰐⰑⰒⰓⰔⰕⰖⰗⰘⰙⰚⰛⰜⰝⰞⰟⰠⰡⰢⰣⰤⰥⰦⰧⰨⰩⰪⰫⰬⰭⰮⰯⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵⱾⱿⲀⲂⲄⲆⲈⲊⲌⲎⲐⲒⲔⲖⲘⲚⲜⲞⲠⲢⲤⲦⲨⲪⲬⲮⲰⲲⲴⲶⲸⲺⲼⲾⳀⳂⳄⳆⳈⳊⳌⳎⳐⳒⳔⳖⳘⳚⳜⳞⳠⳢⳫⳭⳲꙀꙂꙄꙆꙈꙊꙌꙎꙐꙒꙔꙖꙘꙚꙜꙞꙠꙢꙤꙦꙨꙪꙬꚀꚂꚄꚆꚈꚊꚌꚎꚐꚒꚔꚖꚘꚚꜢꜤꜦꜨꜪꜬꜮꜲꜴꜶꜸꜺꜼꜾꝀꝂꝄꝆꝈꝊꝌꝎꝐꝒꝔꝖꝘꝚꝜꝞꝠꝢꝤꝦꝨꝪꝬꝮꝹꝻꝽꝾꞀꞂꞄꞆꞋꞍꞐꞒꞖꞘꞚꞜꞞꞠꞢꞤꞦꞨꞪꞫꞬꞭꞮꞰꞱꞲꞳꞴꞶꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵ𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑𐐒𐐓𐐔𐐕𐐖𐐗𐐘𐐙𐐚𐐛𐐜𐐝𐐞𐐟𐐠𐐡𐐢𐐣𐐤𐐥𐐦𐐧𐒰𐒱𐒲𐒳𐒴𐒵𐒶𐒷𐒸𐒹𐒺𐒻𐒼𐒽𐒾𐒿𐓀𐓁𐓂𐓃𐓄𐓅𐓆𐓇𐓈𐓉𐓊𐓋𐓌𐓍𐓎𐓏𐓐𐓑𐓒𐓓𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐲀𐲁𐲂𐲃𐲄𐲅𐲆𐲇𐲈𐲉𐲊𐲋𐲌𐲍𐲎𐲏𐲐𐲑𐲒𐲓𐲔𐲕𐲖𐲗𐲘𐲙𐲚𐲛𐲜𐲝𐲞𐲟𐲠𐲡𐲢𐲣𐲤𐲥𐲦𐲧𐲨𐲩𐲪𐲫𐲬𐲭𐲮𐲯𐲰𐲱𐲲𐵐𐵑𐵒𐵓𐵔𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣𐵤𐵥𑢠𑢡𑢢𑢣𑢤𑢥𑢦𑢧𑢨𑢩𑢪𑢫𑢬𑢭𑢮𑢯𑢰𑢱𑢲𑢳𑢴𑢵𑢶𑢷𑢸𑢹𑢺𑢻𑢼𑢽𑢾𑢿𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸𞤀𞤁𞤂𞤃𞤄𞤅𞤆𞤇𞤈𞤉𞤊𞤋𞤌𞤍𞤎𞤏𞤐𞤑𞤒𞤓𞤔𞤕𞤖𞤗𞤘𞤙𞤚𞤛𞤜𞤝𞤞𞤟𞤠𞤡', 'اييكهههioldhabcdefghijklmnopqrstuvwxyzæðoþdhlŋœŧɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǥƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳαβγδεζηθικλμνξοπρστυφχψωσϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽвдосттъѣꙋᲊაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿßỻỽỿⅎↄⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐⱑⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶȿɀⲁⲃⲅⲇⲉⲋⲍⲏⲑⲓⲕⲗⲙⲛⲝⲟⲡⲣⲥⲧⲩⲫⲭⲯⲱⲳⲵⲷⲹⲻⲽⲿⳁⳃⳅⳇⳉⳋⳍⳏⳑⳓⳕⳗⳙⳛⳝⳟⳡⳣⳬⳮⳳꙁꙃꙅꙇꙉꙋꙍꙏꙑꙓꙕꙗꙙꙛꙝꙟꙡꙣꙥꙧꙩꙫꙭꚁꚃꚅꚇꚉꚋꚍꚏꚑꚓꚕꚗꚙꚛꜣꜥꜧꜩꜫꜭꜯꜳꜵꜷꜹꜻꜽꜿꝁꝃꝅꝇꝉꝋꝍꝏꝑꝓꝕꝗꝙꝛꝝꝟꝡꝣꝥꝧꝩꝫꝭꝯꝺꝼᵹꝿꞁꞃꞅꞇꞌɥꞑꞓꞗꞙꞛꞝꞟꞡꞣꞥꞧꞩɦɜɡɬɪʞʇʝꭓꞵꞷꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶ𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸𐐹𐐺𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏𐓘𐓙𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯𐓰𐓱𐓲𐓳𐓴𐓵𐓶𐓷𐓸𐓹𐓺𐓻𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊𐳋𐳌𐳍𐳎𐳏𐳐𐳑𐳒𐳓𐳔𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯𐳰𐳱𐳲𐵰𐵱𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎𑣏𑣐𑣑𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛𑣜𑣝𑣞𑣟𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾𞤿𞥀𞥁𞥂𞥃'
  ), NFC), 40)$$;
comment on function fold_name(text) is
  'Folds names that look equal: marks, case, and forms of alif, i and apostrophes.';

create function keep_search_name() returns trigger language plpgsql as $$
begin
  new.search_name := fold_name(new.nickname);
  return new;
end $$;

create table users (
  id bigint generated always as identity primary key,
  user_no text not null unique check (user_no ~ '^[1-9][0-9]{7}$'),
  external_id text not null unique,
  nickname text not null check (char_length(nickname) between 1 and 40),
  avatar_key text not null default '',
  sex smallint not null default 0 check (sex in (0, 1, 2)),
  birthday date check (birthday >= '1900-01-01'),
  country_id integer not null,
  role smallint not null default 0 check (role in (0, 2, 3)),
  language text not null default 'en',
  created_at timestamptz not null default now(),
  last_login_at timestamptz not null default now(),
  last_login_ip text not null default '',
  device_id text not null default '',
  about text not null default '' check (char_length(about) <= 160),
  location text not null default '' check (char_length(location) <= 60),
  nickname_changed_at timestamptz,
  searchable boolean not null default true,
  official boolean not null default false,
  deleted_at timestamptz,
  erased_at timestamptz,
  passed_calls smallint not null default 0 check (passed_calls between 0 and 10),
  ringable boolean not null default true,
  erasure_began_at timestamptz,
  search_name text collate "C" not null default '',
  age_checked_at timestamptz
);
create index users_deleted on users (deleted_at) where deleted_at is not null and erased_at is null;
create index users_avatars on users (avatar_key) where avatar_key <> '';
create index users_names on users (search_name, id) where searchable and deleted_at is null;
create index users_names_of_country on users (country_id, search_name, id)
  where searchable and deleted_at is null;
create trigger users_search_name before insert or update of nickname on users
  for each row execute function keep_search_name();
-- Also fires for bulk writes without foreign key checks (session_replication_role).
alter table users enable always trigger users_search_name;
comment on table users is 'User accounts; an erased account keeps its numbers, country, language and dates.';
comment on column users.avatar_key is 'Key of the avatar in blob storage; empty: none.';
comment on column users.birthday is 'Calendar day; null: not given.';
comment on column users.deleted_at is 'When the user deleted the account: hidden from all, and restorable for 14 days.';
comment on column users.erased_at is 'When the data were erased; only legally required records remain.';
comment on column users.official is 'The official account of this service.';
comment on column users.searchable is 'Strangers can find the user by nickname.';
comment on column users.sex is '0 unknown, 1 male, 2 female; set once.';
comment on column users.passed_calls is 'Calls in which a frame of the user passed inspection; counts up to 10.';
comment on column users.ringable is 'Friends may ring the user.';
comment on column users.erasure_began_at is 'Start of the erasure, from which on the account cannot be restored.';
comment on column users.age_checked_at is 'Day on which a vendor last found the user to be an adult; null: never.';
comment on column users.search_name is 'fold_name of the nickname, for searches; kept by a trigger.';

create table identities (
  login_type smallint not null check (login_type in (1, 2, 3)),
  third_party_id text not null,
  user_id bigint not null references users (id),
  primary key (login_type, third_party_id)
);
create index identities_user on identities (user_id);
comment on table identities is 'Accounts at Google, Facebook or Apple with which a user signs in.';

create table age_refusals (
  identity_hash text primary key,
  try_again_on date not null
);
comment on table age_refusals is 'Under-age sign-ins: keyed hash of the identity and the day of the next attempt, but no birthday.';

create table sessions (
  id text primary key,
  user_id bigint not null references users (id),
  token_hash text not null unique,
  source smallint not null check (source in (1, 2)),
  ip text not null,
  user_agent text not null,
  language text not null default 'en',
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('expired', 'kicked', 'deleted', 'signed_out', 'banned')),
  address_country_id integer,
  check ((ended_at is null) = (end_reason is null))
);
create unique index sessions_one_live on sessions (user_id) where ended_at is null;
comment on table sessions is 'Sign-ins and their ends; a user has at most one live session.';
comment on column sessions.end_reason is 'Null while the session is live.';
comment on column sessions.address_country_id is 'Country of the latest address, only where a country needs age checks; null: unknown.';
comment on column sessions.token_hash is 'SHA-256 of the token, hex.';

create table age_checks (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  vendor text not null,
  vendor_ref text,
  url text,
  state text not null default 'pending' check (state in ('pending', 'passed', 'failed', 'expired')),
  method text check (method in ('estimate', 'document', 'app')),
  why text not null check (why in ('country', 'asked')),
  created_at timestamptz not null,
  expires_at timestamptz,
  next_ask_at timestamptz,
  decided_at timestamptz,
  check ((state in ('passed', 'failed')) = (method is not null)),
  check ((state = 'pending') = (decided_at is null))
);
create unique index age_checks_pending on age_checks (user_id) where state = 'pending';
create unique index age_checks_refs on age_checks (vendor, vendor_ref) where vendor_ref is not null;
create index age_checks_user on age_checks (user_id, created_at);
create index age_checks_due on age_checks (next_ask_at) where state = 'pending';
create index age_checks_kept on age_checks (decided_at) where vendor_ref is not null;
comment on table age_checks is 'Age checks: result, method, vendor and day, and no picture, name, document or date of birth.';
comment on column age_checks.vendor_ref is 'The vendor''s number of the check; null before the vendor answered, and from 30 days after the result on.';
comment on column age_checks.url is 'The vendor''s page while the check is pending.';
comment on column age_checks.why is 'country: the policy of a country; asked: by a moderator.';
comment on column age_checks.next_ask_at is 'When the server asks the vendor next.';
comment on column age_checks.decided_at is 'Only the day is kept from 30 days after the result on.';

create table login_events (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  ip text not null,
  device_id text not null,
  user_agent text not null,
  at timestamptz not null default now()
);
create index login_events_user on login_events (user_id, at);
comment on table login_events is 'IP address, device and browser of each sign-in.';

create table images (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  user_id bigint not null references users (id),
  kind text not null default 'unused' check (kind in ('unused', 'avatar', 'photo')),
  status text not null default 'pending' check (status in ('pending', 'approved', 'refused')),
  reason_id smallint,
  blob_key text not null,
  thumb_key text not null,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  position integer not null default 0,
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by bigint references users (id),
  removed_at timestamptz,
  why text not null default 'new' check (why in ('unsure', 'reported', 'contact', 'like_removed', 'random', 'new')),
  explicit real,
  phash text,
  hidden_at timestamptz
);
create index images_owner on images (user_id, kind, position) where removed_at is null;
create index images_queue on images (kind, status, id) where removed_at is null;
-- Blobs in use, and removed ones that are still in storage.
create index images_blobs on images (blob_key) where removed_at is null;
create index images_thumbs on images (thumb_key) where removed_at is null;
create index images_leftover on images (user_id) where removed_at is not null and blob_key <> '';
comment on table images is 'Uploaded pictures with their review: avatars, photos and unused uploads.';
comment on column images.explicit is '0 to 1; null: not judged by the models.';
comment on column images.hidden_at is 'Hidden from others by an undecided notice that names it; otherwise null.';
comment on column images.phash is 'Perceptual hash, 16 hex digits.';
comment on column images.public_id is 'Id outside the server.';
comment on column images.why is 'Why a moderator reviews it.';

create table data_exports (
  user_id bigint primary key references users (id),
  state text not null check (state in ('preparing', 'ready', 'failed')),
  percent smallint not null default 0 check (percent between 0 and 100),
  file_key text,
  size_bytes integer,
  begun_at timestamptz not null,
  until timestamptz,
  owner text
);
comment on table data_exports is 'The latest data export of a user.';
comment on column data_exports.owner is 'Server that prepares the export, or did last.';

create table talk (
  user_id bigint primary key references users (id),
  languages smallint[] not null check (cardinality(languages) <= 5 and 0 <= all (languages) and 62 >= all (languages)),
  interests smallint[] not null check (cardinality(interests) <= 6 and 0 <= all (interests) and 63 >= all (interests)),
  prefer boolean not null,
  changed_at timestamptz not null,
  leaves_out smallint[] not null default '{}'
    check (cardinality(leaves_out) <= 5 and 1 <= all (leaves_out) and 511 >= all (leaves_out))
);
comment on table talk is 'Languages and interests of a user, in their order; others see only common ones.';
comment on column talk.prefer is 'Prefer partners with a common language or interest.';
comment on column talk.leaves_out is 'Ids of countries whose users are not matched with this user; not visible to others.';

create table push_subscriptions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  session_id text not null,
  endpoint_hash text not null unique,
  sealed bytea not null,
  kinds smallint[] not null check (cardinality(kinds) <= 16 and 0 <= all (kinds) and 15 >= all (kinds)),
  names boolean not null,
  quiet boolean not null,
  offset_min smallint not null check (offset_min between -840 and 840),
  failures smallint not null default 0,
  created_at timestamptz not null,
  used_at timestamptz not null
);
create index push_subscriptions_user on push_subscriptions (user_id);
comment on table push_subscriptions is 'Web Push subscriptions of browsers.';
comment on column push_subscriptions.session_id is 'Session of the last visit with this browser; its sign-out deletes the subscription.';
comment on column push_subscriptions.endpoint_hash is 'SHA-256 of the push service URL, hex.';
comment on column push_subscriptions.sealed is 'The URL and the browser''s keys, encrypted under the hash.';
comment on column push_subscriptions.kinds is 'Ids of notificationKinds (wire/src/notifications.ts).';
comment on column push_subscriptions.names is 'Notifications contain names.';
comment on column push_subscriptions.quiet is 'No notifications in the quiet hours.';
comment on column push_subscriptions.offset_min is 'UTC offset of the browser, in minutes.';
comment on column push_subscriptions.failures is 'Consecutive failed deliveries.';
comment on column push_subscriptions.used_at is 'Last visit of the user with this browser.';

create table mail_addresses (
  user_id bigint primary key references users (id),
  sealed bytea,
  confirmed_at timestamptz,
  pending_sealed bytea,
  pending_at timestamptz,
  kinds smallint[] not null default '{}' check (cardinality(kinds) <= 16 and 0 <= all (kinds) and 15 >= all (kinds)),
  check ((sealed is null) = (confirmed_at is null)),
  check ((pending_sealed is null) = (pending_at is null)),
  check (sealed is not null or pending_sealed is not null)
);
comment on table mail_addresses is 'Mail addresses that users typed themselves.';
comment on column mail_addresses.sealed is 'The confirmed address, encrypted under the user''s id; null before the first confirmation.';
comment on column mail_addresses.pending_sealed is 'An address that waits for its confirmation.';
comment on column mail_addresses.pending_at is 'When the link to confirm it was made.';
comment on column mail_addresses.kinds is 'Ids of mailKinds (wire/src/mails.ts) that the user chose.';

create table mails (
  id bigint generated always as identity primary key,
  user_id bigint references users (id),
  template text not null,
  matter text not null,
  language text not null,
  to_hash text not null,
  sealed bytea,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'bounced', 'failed')),
  tries smallint not null default 0,
  created_at timestamptz not null,
  due_at timestamptz,
  ended_at timestamptz,
  unique (template, matter),
  check ((state = 'waiting') = (ended_at is null)),
  check ((state = 'waiting') = (sealed is not null))
);
create index mails_due on mails (due_at, id) where due_at is not null;
create index mails_address on mails (to_hash, created_at);
create index mails_user on mails (user_id) where user_id is not null;
comment on table mails is 'Outbox of mails; kept for 30 days, so that no mail is sent twice.';
comment on column mails.user_id is 'Null: the sender of a notice, who may have no account.';
comment on column mails.matter is 'What the mail is about, such as an appeal.';
comment on column mails.to_hash is 'Keyed hash of the address, to count its mails.';
comment on column mails.sealed is 'JSON: address and facts, encrypted; null once the mail is sent or given up.';
comment on column mails.due_at is 'Next attempt.';
comment on column mails.tries is 'Attempts so far.';
