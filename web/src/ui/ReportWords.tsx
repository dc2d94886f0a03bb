import { type ReactNode, useId } from "react";
import { reportNoteLengthMax } from "@fava/wire/limits.ts";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Field, TextArea } from "#ui/Field.tsx";

/** The reporter's own description, with a letter count. */
export function ReportWords(props: {
  value: string;
  readOnly?: boolean;
  className?: string | undefined;
  onChange: (value: string) => void;
}): ReactNode {
  const t = useT();
  const id = useId();
  const count = { count: formatNumber(props.value.length), max: formatNumber(reportNoteLengthMax) };
  return (
    <Field
      id={id}
      label={t("report.words")}
      remark={<span id={`${id}-count`}>{t("appeal.count", count)}</span>}
      className={props.className}
    >
      <TextArea
        id={id}
        rows={2}
        dir="auto"
        maxLength={reportNoteLengthMax}
        value={props.value}
        readOnly={props.readOnly}
        aria-describedby={`${id}-count`}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </Field>
  );
}
