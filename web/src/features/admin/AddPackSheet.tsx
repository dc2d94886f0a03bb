import { type FormEvent, type ReactNode, useId, useState } from "react";
import { adminPackAdd } from "@fava/wire/endpoints/shop.ts";
import { packBeansShownMax, priceListCountryDefault } from "@fava/wire/limits.ts";
import { minorFromText } from "@fava/wire/money.ts";
import { call } from "#lib/api/call.ts";
import { useCountries } from "#lib/countries.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Select } from "#ui/Select.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { change } from "./admin-data.ts";
import styles from "./AddPackSheet.module.css";

/** Beans, price, currency and country of a new pack. */
export function AddPackSheet({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT();
  const countries = useCountries();
  const form = useId();
  const [golds, setGolds] = useState("");
  const [money, setMoney] = useState("");
  const [currency, setCurrency] = useState("USD");
  const [countryId, setCountryId] = useState(String(priceListCountryDefault));
  const [problem, setProblem] = useState<string | null>(null);
  const [working, setWorking] = useState(false);

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    const beans = /^[1-9]\d{0,7}$/.test(golds) ? Number(golds) : null;
    const minor = /^[A-Z]{3}$/.test(currency) ? minorFromText(money, currency) : null;
    if (beans === null || minor === null || minor === 0n) return setProblem(t("admin.packs.wrong"));
    setWorking(true);
    const pack = {
      country_id: Number(countryId),
      golds: beans,
      price_minor: Number(minor),
      currency_code: currency,
    };
    const failed = await change(() => call(adminPackAdd, pack), "admin.packs.refused");
    setWorking(false);
    setProblem(failed);
    if (failed === null) onClose();
  }

  return (
    <Sheet
      title={t("admin.packs.add")}
      onClose={onClose}
      foot={
        <Button kind="ink" block type="submit" form={form} loading={working}>
          {t("admin.packs.add")}
        </Button>
      }
    >
      <form id={form} className={styles.form} onSubmit={(event) => void add(event)} noValidate>
        <Field label={t("admin.packs.beans")} value={golds} numeric onChange={setGolds} />
        <Field label={t("admin.packs.price")} value={money} numeric onChange={setMoney} />
        <Field
          label={t("admin.packs.currency")}
          value={currency}
          onChange={(value) => setCurrency(value.toUpperCase())}
        />
        <Select
          label={t("admin.packs.country")}
          value={countryId}
          options={countries.map(({ id, languageText }) => ({ value: String(id), text: languageText }))}
          onChange={setCountryId}
        />
        {Number(golds) >= packBeansShownMax && <p>{t("admin.packs.hidden")}</p>}
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      </form>
    </Sheet>
  );
}

function Field(props: {
  label: string;
  value: string;
  numeric?: boolean;
  onChange: (value: string) => void;
}): ReactNode {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{props.label}</label>
      <input
        id={id}
        dir="ltr"
        maxLength={12}
        autoComplete="off"
        inputMode={props.numeric ? "decimal" : "text"}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value.trim())}
      />
    </div>
  );
}
