/** Regions that balanced matching searches before it widens. */
export const zones = {
  latinAmerica: 1,
  northAmerica: 2,
  westernEurope: 3,
  easternEurope: 4,
  middleEastAndNorthAfrica: 5,
  subSaharanAfrica: 6,
  southAsia: 7,
  southEastAsia: 8,
  eastAsia: 9,
  centralAsia: 10,
  oceania: 11,
} as const;
export type Zone = (typeof zones)[keyof typeof zones];

/**
 * ISO 3166-1 alpha-2 and numeric codes; each row belongs to one zone. **The order is the identity**: our own ids count
 * through the rows from 1 and are stored with users, calls and orders. Never move, remove or insert an entry; append a
 * new country as a new row. Asia and North America come first in alphabetical order, which gives the United States the
 * id 18 that the specification falls back to.
 */
export const countryRows: readonly (readonly [zone: Zone, codes: string])[] = [
  [zones.eastAsia, "CN156 HK344 JP392 KP408 KR410 MN496 MO446 TW158"],
  [zones.centralAsia, "KG417 KZ398 TJ762 TM795 UZ860"],
  [zones.northAmerica, "BM060 CA124 GL304 PM666 US840"],
  [zones.latinAmerica, "AG028 AI660 AR032 AW533 BB052 BL652 BO068 BQ535 BR076 BS044 BV074 BZ084 CL152"],
  [zones.latinAmerica, "CO170 CR188 CU192 CW531 DM212 DO214 EC218 FK238 GD308 GF254 GP312 GS239 GT320"],
  [zones.latinAmerica, "GY328 HN340 HT332 JM388 KN659 KY136 LC662 MF663 MQ474 MS500 MX484 NI558 PA591"],
  [zones.latinAmerica, "PE604 PR630 PY600 SR740 SV222 SX534 TC796 TT780 UY858 VC670 VE862 VG092 VI850"],
  [zones.westernEurope, "AD020 AT040 AX248 BE056 CH756 CY196 DE276 DK208 ES724 FI246 FO234 FR250 GB826"],
  [zones.westernEurope, "GG831 GI292 GR300 IE372 IM833 IS352 IT380 JE832 LI438 LU442 MC492 MT470 NL528"],
  [zones.westernEurope, "NO578 PT620 SE752 SJ744 SM674 VA336"],
  [zones.easternEurope, "AL008 AM051 AZ031 BA070 BG100 BY112 CZ203 EE233 GE268 HR191 HU348 LT440 LV428"],
  [zones.easternEurope, "MD498 ME499 MK807 PL616 RO642 RS688 RU643 SI705 SK703 UA804"],
  [zones.middleEastAndNorthAfrica, "AE784 BH048 DZ012 EG818 EH732 IL376 IQ368 IR364 JO400 KW414 LB422 LY434 MA504"],
  [zones.middleEastAndNorthAfrica, "OM512 PS275 QA634 SA682 SD729 SY760 TN788 TR792 YE887"],
  [zones.southAsia, "AF004 BD050 BT064 IN356 LK144 MV462 NP524 PK586"],
  [zones.southEastAsia, "BN096 ID360 KH116 LA418 MM104 MY458 PH608 SG702 TH764 TL626 VN704"],
  [zones.oceania, "AQ010 AS016 AU036 CC166 CK184 CX162 FJ242 FM583 GU316 HM334 KI296 MH584 MP580"],
  [zones.oceania, "NC540 NF574 NR520 NU570 NZ554 PF258 PG598 PN612 PW585 SB090 TK772 TO776 TV798"],
  [zones.oceania, "UM581 VU548 WF876 WS882"],
  [zones.subSaharanAfrica, "AO024 BF854 BI108 BJ204 BW072 CD180 CF140 CG178 CI384 CM120 CV132 DJ262 ER232"],
  [zones.subSaharanAfrica, "ET231 GA266 GH288 GM270 GN324 GQ226 GW624 IO086 KE404 KM174 LR430 LS426 MG450"],
  [zones.subSaharanAfrica, "ML466 MR478 MU480 MW454 MZ508 NA516 NE562 NG566 RE638 RW646 SC690 SH654 SL694"],
  [zones.subSaharanAfrica, "SN686 SO706 SS728 ST678 SZ748 TD148 TF260 TG768 TZ834 UG800 YT175 ZA710 ZM894"],
  [zones.subSaharanAfrica, "ZW716"],
  // Kosovo has no ISO code: XK is user-assigned, and 983 is the numeric code in Unicode's data.
  [zones.easternEurope, "XK983"],
];
