import { Plus, Trash2 } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { adminPackAdd, adminPackRemove } from "@fava/wire/endpoints/shop.ts";
import { priceStepMinor } from "@fava/wire/exact-price.ts";
import { packBeansShownMax, priceListCountryDefault } from "@fava/wire/limits.ts";
import { minorFromText } from "@fava/wire/money.ts";
import { useCountries } from "#lib/countries.ts";
import { formatBeans, formatFineMoney, formatMoney } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { Field, Input } from "#ui/Field.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Select } from "#ui/Select.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { showToast } from "#ui/toast-store.ts";
import { type AdminPack, useChange } from "./admin-data.ts";
import styles from "./Admin.module.css";

/** The packs of the shop by country; they are added or removed, never changed. */
export function Packs({ packs }: { packs: readonly AdminPack[] }): ReactNode {
  const t = useT();
  const countries = useCountries();
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<AdminPack | null>(null);
  const countryName = (id: number) => countries.find((country) => country.id === id)?.languageText ?? String(id);
  return (
    <section className={styles.packs}>
      <div className={styles.packsHead}>
        <h2>{t("admin.packs.title")}</h2>
        <Button
          kind="quiet"
          size="small"
          pill
          icon={<Plus size={18} aria-hidden="true" />}
          onClick={() => setAdding(true)}
        >
          {t("admin.packs.add")}
        </Button>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("admin.packs.beans")}</th>
            <th scope="col">{t("admin.packs.country")}</th>
            <th scope="col" data-number>
              {t("admin.packs.price")}
            </th>
            <th scope="col" data-number data-extra>
              {t("admin.packs.perThousand")}
            </th>
            <th scope="col" data-extra>
              {t("admin.packs.inShop")}
            </th>
            <th scope="col">
              <VisuallyHidden>{t("admin.packs.removeYes")}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {packs.map((pack) => (
            <tr key={pack.id}>
              <th scope="row">
                <Bean size={16} /> {formatBeans(pack.golds)}
              </th>
              <td>{countryName(pack.country_id)}</td>
              <td data-number>{formatMoney(pack.price_minor, pack.currency_code)}</td>
              <td data-number data-extra>
                {perThousand(pack)}
              </td>
              <td data-extra>{t(pack.golds >= packBeansShownMax ? "admin.packs.hidden" : "admin.packs.shown")}</td>
              <td>
                <IconButton
                  label={t("admin.packs.remove", { count: formatBeans(pack.golds) })}
                  icon={<Trash2 size={18} aria-hidden="true" />}
                  onClick={() => setRemoving(pack)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {adding && <AddPackSheet onClose={() => setAdding(false)} />}
      {removing && <RemoveSheet pack={removing} onClose={() => setRemoving(null)} />}
    </section>
  );
}

function perThousand({ golds, price_minor, currency_code }: AdminPack): string {
  return formatFineMoney(Math.round((price_minor * 10_000) / golds), currency_code);
}

function RemoveSheet({ pack, onClose }: { pack: AdminPack; onClose: () => void }): ReactNode {
  const t = useT();
  const { isPending, mutate } = useChange(adminPackRemove, "admin.packs.lastOne", (problem) => {
    if (problem !== null) showToast({ type: "error", text: problem });
    onClose();
  });
  return (
    <Sheet
      alert
      title={t("admin.packs.removeTitle", { count: formatBeans(pack.golds) })}
      onClose={onClose}
      foot={
        <>
          <Button kind="ink" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button kind="danger" loading={isPending} onClick={() => mutate({ id: pack.id })}>
            {t("admin.packs.removeYes")}
          </Button>
        </>
      }
    >
      <p>{t("admin.packs.removeText")}</p>
    </Sheet>
  );
}

/** Beans, price, currency and country of a new pack. */
function AddPackSheet({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT();
  const countries = useCountries();
  const form = useId();
  const [golds, setGolds] = useState("");
  const [money, setMoney] = useState("");
  const [currency, setCurrency] = useState("USD");
  const [countryId, setCountryId] = useState(String(priceListCountryDefault));
  const [isWrong, setWrong] = useState(false);
  const adding = useChange(adminPackAdd, "admin.packs.refused", (problem) => {
    if (problem === null) onClose();
  });

  function add(event: FormEvent): void {
    event.preventDefault();
    const beans = /^[1-9]\d{0,7}$/.test(golds) ? Number(golds) : null;
    const minor = /^[A-Z]{3}$/.test(currency) ? minorFromText(money, currency) : null;
    const isPrice = minor !== null && minor > 0n && minor % priceStepMinor(currency) === 0n;
    if (beans === null || !isPrice) return setWrong(true);
    setWrong(false);
    adding.mutate({
      country_id: Number(countryId),
      golds: beans,
      price_minor: Number(minor),
      currency_code: currency,
    });
  }

  return (
    <Sheet
      title={t("admin.packs.add")}
      onClose={onClose}
      foot={
        <Button kind="ink" block type="submit" form={form} loading={adding.isPending}>
          {t("admin.packs.add")}
        </Button>
      }
    >
      <form id={form} className={styles.newPack} onSubmit={add} noValidate>
        <PackField label={t("admin.packs.beans")} value={golds} numeric onChange={setGolds} />
        <PackField label={t("admin.packs.price")} value={money} numeric onChange={setMoney} />
        <PackField
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
        <p role="alert" className={styles.packProblem}>
          {isWrong ? t("admin.packs.wrong") : adding.problem}
        </p>
      </form>
    </Sheet>
  );
}

function PackField(props: {
  label: string;
  value: string;
  numeric?: boolean;
  onChange: (value: string) => void;
}): ReactNode {
  const id = useId();
  return (
    <Field id={id} label={props.label}>
      <Input
        id={id}
        dir="ltr"
        maxLength={12}
        autoComplete="off"
        inputMode={props.numeric ? "decimal" : "text"}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value.trim())}
      />
    </Field>
  );
}
