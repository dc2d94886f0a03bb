import { hashKey } from "@tanstack/react-query";
import { Cake, Globe, Search, Users, UserSearch } from "lucide-react";
import { type ReactNode, useState } from "react";
import { userSearch } from "@fava/wire/endpoints/social.ts";
import { searchAge, searchTextLengthMax } from "@fava/wire/limits.ts";
import { useCountries } from "#lib/countries.ts";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useEndpointPages } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { Button } from "#ui/Button.tsx";
import { Input } from "#ui/Field.tsx";
import { Select } from "#ui/Select.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { ListFrame, EmptyList } from "./ListFrame.tsx";
import { FollowButton, MessageButton, PersonRow } from "./PersonRow.tsx";
import { idOf } from "./people-lists.ts";
import { noteRelations, useRelations } from "./relations.ts";
import styles from "./People.module.css";

/** Search by number or nickname, with sex, age and country. */
export function FindSheet(): ReactNode {
  const t = useT();
  const isMobile = useIsMobile();
  const [query, setQuery] = useState<Query>(firstQuery);
  const [asked, setAsked] = useState<Query | null>(null);
  const userId = useUser()?.user_id;
  const relations = useRelations();
  const found = useEndpointPages(userSearch, asked && userId !== undefined ? { ...asked, user_id: userId } : null, {
    keyOf: idOf,
    keepPrevious: true,
    refetchOnReconnect: true,
    onAnswer: ({ rows }) => noteRelations(rows),
  });
  function search(): void {
    const wanted = { ...query, text: query.text.trim() };
    if (hashKey([wanted]) === hashKey([asked])) void found.refetch();
    else setAsked(wanted);
  }
  function filter(next: Query): void {
    setQuery(next);
    if (asked) setAsked({ ...next, text: asked.text });
  }
  const close = () => closeOverlay("find");
  return (
    <Sheet
      widthPx={1040}
      fullScreen={isMobile}
      title={t("find.title")}
      onBack={isMobile ? close : undefined}
      closable={!isMobile}
      maskClosable
      onClose={close}
    >
      <form
        role="search"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <div className={styles.text}>
          <Input
            type="search"
            dir="auto"
            autoComplete="off"
            enterKeyHint="search"
            maxLength={searchTextLengthMax}
            placeholder={t("find.text")}
            aria-label={t("find.text")}
            value={query.text}
            onChange={(event) => setQuery({ ...query, text: event.target.value })}
          />
          <Button kind="ink" type="submit" className={styles.go ?? ""} icon={<Search size={20} aria-hidden="true" />}>
            {isMobile ? <VisuallyHidden>{t("find.go")}</VisuallyHidden> : t("find.go")}
          </Button>
        </div>
        <Filters query={query} onChange={filter} />
      </form>
      <div className={styles.found}>
        {!asked && (
          <div className={styles.hint}>
            <UserSearch size={44} strokeWidth={1.6} aria-hidden="true" />
            <p>{t("find.lead")}</p>
          </div>
        )}
        {asked && (
          <ListFrame
            list={found}
            isShown={(row) => !relations.get(row.user_id)?.hidden}
            texts={{ loading: t("find.loading"), failed: t("find.notLoaded") }}
            empty={
              <EmptyList
                icon={<UserSearch size={44} strokeWidth={1.6} />}
                title={t("find.nobody")}
                text={t("find.nobodyText")}
              />
            }
          >
            {(person) => (
              <PersonRow key={person.user_id} person={person}>
                {relations.get(person.user_id)?.followStatus === 2 && <MessageButton person={person} />}
                <FollowButton person={person} />
              </PersonRow>
            )}
          </ListFrame>
        )}
      </div>
    </Sheet>
  );
}

function Filters({ query, onChange }: { query: Query; onChange: (query: Query) => void }): ReactNode {
  const t = useT();
  const countries = useCountries();
  const ages = Array.from({ length: searchAge.max - searchAge.min + 1 }, (_, index) => searchAge.min + index);
  const age = (value: number) => ({ value: String(value), text: formatNumber(value) });
  const oldest = { value: String(searchAge.max), text: t("find.andOver", { age: formatNumber(searchAge.max) }) };
  return (
    <div className={styles.filters}>
      <Select
        compact
        label={t("find.sex")}
        icon={<Users size={20} aria-hidden="true" />}
        value={String(query.sex)}
        options={[
          { value: "0", text: t("find.everyone") },
          { value: "2", text: t("find.women") },
          { value: "1", text: t("find.men") },
        ]}
        onChange={(sex) => onChange({ ...query, sex: sex === "1" ? 1 : sex === "2" ? 2 : 0 })}
      />
      <Select
        compact
        label={t("find.country")}
        icon={<Globe size={20} aria-hidden="true" />}
        value={String(query.country)}
        options={[
          { value: "0", text: t("find.anyCountry") },
          ...countries.map(({ id, languageText }) => ({ value: String(id), text: languageText })),
        ]}
        onChange={(country) => onChange({ ...query, country: Number(country) })}
      />
      <Select
        compact
        label={t("find.ageFrom")}
        icon={<Cake size={20} aria-hidden="true" />}
        value={String(query.minAge)}
        options={[...ages.slice(0, -1).map(age), oldest]}
        onChange={(minAge) => onChange(changeQuery(query, { minAge: Number(minAge) }))}
      />
      <Select
        compact
        label={t("find.ageTo")}
        icon={<Cake size={20} aria-hidden="true" />}
        value={String(query.maxAge)}
        options={[...ages.slice(0, -1).map(age), oldest]}
        onChange={(maxAge) => onChange(changeQuery(query, { maxAge: Number(maxAge) }))}
      />
    </div>
  );
}

/** The search input; the highest `maxAge` means that age and over. */
export interface Query {
  readonly text: string;
  readonly sex: 0 | 1 | 2;
  readonly minAge: number;
  readonly maxAge: number;
  /** 0: any. */
  readonly country: number;
}

export const firstQuery: Query = { text: "", sex: 0, minAge: searchAge.min, maxAge: searchAge.max, country: 0 };

/** Changes one end of the age range and moves the other along, so that the minimum is never above the maximum. */
export function changeQuery(query: Query, change: { minAge: number } | { maxAge: number }): Query {
  if ("minAge" in change) return { ...query, ...change, maxAge: Math.max(query.maxAge, change.minAge) };
  return { ...query, ...change, minAge: Math.min(query.minAge, change.maxAge) };
}
