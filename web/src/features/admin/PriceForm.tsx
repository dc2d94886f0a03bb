import { type FormEvent, type ReactNode, useId, useState } from "react";
import { adminPricesUpdate } from "@fava/wire/endpoints/shop.ts";
import { beanPriceMax } from "@fava/wire/limits.ts";
import { usePrices } from "#features/beans/prices.ts";
import { formatBeans, formatNumber } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { Field, Input } from "#ui/Field.tsx";
import { showToast } from "#ui/toast-store.ts";
import { type FilterPriceName, type ShopInfo, useChange } from "./admin-data.ts";
import styles from "./Admin.module.css";

const labels: Readonly<Record<FilterPriceName, Key>> = {
  gender: "admin.price.gender",
  country: "admin.price.country",
  both: "admin.price.both",
};

/** The three prices. Nothing changes before Save, and the bar says what Save would change. */
export function PriceForm({ prices }: { prices: ShopInfo["prices"] }): ReactNode {
  const t = useT();
  const [draft, setDraft] = useState(() => priceDraftOf(prices));
  const [asking, setAsking] = useState(false);
  const saving = useChange(adminPricesUpdate, "admin.price.refused", (problem) => {
    setAsking(false);
    if (problem === null) showToast({ text: t("admin.saved") });
  });
  const read = readPriceDraft(draft, prices);

  function edit(next: PriceDraft): void {
    setDraft(next);
    setAsking(false);
    saving.reset();
  }
  function save(event: FormEvent): void {
    event.preventDefault();
    if (read.kind !== "changed" || saving.isPending) return;
    if (read.drastic && !asking) return setAsking(true);
    saving.mutate(read.prices);
  }

  return (
    <form className={styles.prices} onSubmit={save} noValidate>
      <h2>{t("admin.price.title")}</h2>
      <p>{t("admin.lead")}</p>
      <div className={styles.fields}>
        {priceNames.map((name) => (
          <PriceField
            key={name}
            label={t(labels[name])}
            value={draft[name]}
            before={prices[name]}
            problem={read.kind === "wrong" && read.field === name ? t(`admin.price.wrong.${read.why}`) : null}
            onChange={(value) => edit({ ...draft, [name]: value })}
          />
        ))}
      </div>
      <output>
        {read.kind === "changed" && (
          <span className={styles.bar}>
            <span>{saving.problem ?? <Words read={read} asking={asking} />}</span>
            <Button kind="plain" size="small" onClick={() => edit(priceDraftOf(prices))}>
              {t("admin.discard")}
            </Button>
            <Button kind="ink" size="small" type="submit" loading={saving.isPending}>
              {asking ? t("admin.saveAnyway") : t("common.save")}
            </Button>
          </span>
        )}
      </output>
    </form>
  );
}

function PriceField(props: {
  label: string;
  value: string;
  before: number;
  problem: string | null;
  onChange: (value: string) => void;
}): ReactNode {
  const t = useT();
  const prices = usePrices();
  const id = useId();
  const beans = /^\d{1,9}$/.test(props.value) ? Number(props.value) : null;
  return (
    <Field
      id={id}
      label={props.label}
      hint={
        <>
          {props.problem ?? (beans === null ? "" : t("price.about", { money: prices.inMoney(beans) }))}
          {props.problem === null && beans !== null && beans !== props.before && (
            <b>{t("admin.price.was", { count: formatBeans(props.before) })}</b>
          )}
        </>
      }
      isWrong={props.problem !== null}
      className={styles.price}
    >
      <Input
        icon={<Bean size={20} />}
        id={id}
        dir="ltr"
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        value={props.value}
        aria-invalid={props.problem !== null}
        aria-describedby={`${id}-hint`}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </Field>
  );
}

function Words({ read, asking }: { read: Extract<ReadDraft, { kind: "changed" }>; asking: boolean }): ReactNode {
  const t = useT();
  if (asking) return <b>{t("admin.price.drastic")}</b>;
  return (
    <>
      <b>{t("admin.price.changes", { n: read.changes.length, count: formatNumber(read.changes.length) })}</b>{" "}
      {read.changes
        .map(({ name, before, after }) =>
          t("admin.price.change", { name: t(labels[name]), before: formatBeans(before), after: formatBeans(after) }),
        )
        .join(" ")}
    </>
  );
}

type Prices = ShopInfo["prices"];

/** The text of the three fields. */
type PriceDraft = Readonly<Record<FilterPriceName, string>>;

const priceNames = ["gender", "country", "both"] as const;

interface PriceChange {
  readonly name: FilterPriceName;
  readonly before: number;
  readonly after: number;
}

type ReadDraft =
  | { readonly kind: "unchanged" }
  | { readonly kind: "wrong"; readonly field: FilterPriceName; readonly why: "number" | "both" }
  | {
      readonly kind: "changed";
      readonly prices: Prices;
      readonly changes: readonly PriceChange[];
      /** A price of 0, or one that falls by more than half, needs a confirmation. */
      readonly drastic: boolean;
    };

export function priceDraftOf(prices: Prices): PriceDraft {
  return { gender: String(prices.gender), country: String(prices.country), both: String(prices.both) };
}

/** The changes in the fields; both filters together never cost more than the sum of the two (rule BEANS-1). */
export function readPriceDraft(draft: PriceDraft, current: Prices): ReadDraft {
  const prices = { gender: 0, country: 0, both: 0 };
  for (const name of priceNames) {
    const text = draft[name].trim();
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value <= beanPriceMax)) return { kind: "wrong", field: name, why: "number" };
    prices[name] = value;
  }
  if (prices.both > prices.gender + prices.country) return { kind: "wrong", field: "both", why: "both" };
  const changes = priceNames
    .map((name) => ({ name, before: current[name], after: prices[name] }))
    .filter(({ before, after }) => before !== after);
  if (changes.length === 0) return { kind: "unchanged" };
  const drastic = changes.some(({ before, after }) => after === 0 || after * 2 < before);
  return { kind: "changed", prices, changes, drastic };
}
