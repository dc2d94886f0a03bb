import { Plus, Trash2 } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { adminHourAdd, adminHourRemove } from "@fava/wire/endpoints/hours.ts";
import { topicHourMinutes } from "@fava/wire/limits.ts";
import { interests, spokenLanguages } from "@fava/wire/talk.ts";
import { interestName, spokenName, topicName } from "#features/people/shared-tags.ts";
import { formatTime } from "#lib/format-date.ts";
import { formatSpan } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Field, Input } from "#ui/Field.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Select, type SelectOption } from "#ui/Select.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { showToast } from "#ui/toast-store.ts";
import { type PlannedHour, useChange, useHours } from "./admin-data.ts";
import styles from "./Admin.module.css";

/** The hours for a language or a topic. They are added or removed, never changed. */
export function Hours(): ReactNode {
  const t = useT();
  const hours = useHours();
  const [isAdding, setAdding] = useState(false);
  return (
    <section className={styles.packs} aria-busy={hours === undefined}>
      <div className={styles.packsHead}>
        <div>
          <h2>{t("admin.hours.title")}</h2>
          <p>{t("admin.hours.lead")}</p>
        </div>
        <Button
          kind="quiet"
          size="small"
          pill
          icon={<Plus size={18} aria-hidden="true" />}
          onClick={() => setAdding(true)}
        >
          {t("admin.hours.add")}
        </Button>
      </div>
      {hours?.length === 0 && <p>{t("admin.hours.none")}</p>}
      {hours && hours.length > 0 && <HourTable hours={hours} />}
      {isAdding && <AddHourSheet onClose={() => setAdding(false)} />}
    </section>
  );
}

function HourTable({ hours }: { hours: readonly PlannedHour[] }): ReactNode {
  const t = useT();
  const { mutate } = useChange(adminHourRemove, "error.server", (problem) => {
    if (problem !== null) showToast({ type: "error", text: problem });
  });
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t("admin.hours.topic")}</th>
          <th scope="col">{t("admin.hours.start")}</th>
          <th scope="col" data-extra>
            {t("admin.hours.length")}
          </th>
          <th scope="col" data-extra>
            {t("admin.hours.weekly")}
          </th>
          <th scope="col">
            <VisuallyHidden>{t("admin.packs.removeYes")}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {hours.map((hour) => (
          <tr key={hour.id}>
            <th scope="row">{topicName(t, hour)}</th>
            <td>{formatTime(hour.starts_at)}</td>
            <td data-extra>{formatSpan((hour.ends_at - hour.starts_at) / 1_000)}</td>
            <td data-extra>{t(hour.is_weekly === 1 ? "admin.hours.weekly" : "admin.hours.once")}</td>
            <td>
              <IconButton
                label={t("admin.hours.remove", { topic: topicName(t, hour) })}
                icon={<Trash2 size={18} aria-hidden="true" />}
                onClick={() => mutate({ id: hour.id })}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Topic, start, length and rhythm of a new hour. The start is in the administrator's time zone. */
function AddHourSheet({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT();
  const form = useId();
  const start = useId();
  const [topic, setTopic] = useState("language 0");
  const [startsAt, setStartsAt] = useState("");
  const [minutes, setMinutes] = useState(String(topicHourMinutes[0]));
  const [isWeekly, setWeekly] = useState(true);
  const [isWrong, setWrong] = useState(false);
  const adding = useChange(adminHourAdd, "admin.hours.refused", (problem) => {
    if (problem === null) onClose();
  });

  function add(event: FormEvent): void {
    event.preventDefault();
    const startsAtMs = new Date(startsAt).getTime();
    setWrong(Number.isNaN(startsAtMs));
    if (Number.isNaN(startsAtMs)) return;
    const [kind, id] = topic.split(" ");
    adding.mutate({
      spoken: kind === "language" ? Number(id) : -1,
      interest: kind === "interest" ? Number(id) : -1,
      starts_at: startsAtMs,
      minutes: Number(minutes) as (typeof topicHourMinutes)[number],
      is_weekly: isWeekly ? 1 : 0,
    });
  }

  return (
    <Sheet
      title={t("admin.hours.add")}
      onClose={onClose}
      foot={
        <Button kind="ink" block type="submit" form={form} loading={adding.isPending}>
          {t("admin.hours.add")}
        </Button>
      }
    >
      <form id={form} className={styles.newPack} onSubmit={add} noValidate>
        <Select label={t("admin.hours.topic")} value={topic} options={topics(t)} onChange={setTopic} />
        <Field id={start} label={t("admin.hours.start")}>
          <Input
            id={start}
            type="datetime-local"
            dir="ltr"
            value={startsAt}
            onChange={(event) => setStartsAt(event.target.value)}
          />
        </Field>
        <Select
          label={t("admin.hours.length")}
          value={minutes}
          options={topicHourMinutes.map((value) => ({ value: String(value), text: formatSpan(value * 60) }))}
          onChange={setMinutes}
        />
        <Checkbox checked={isWeekly} onChange={setWeekly}>
          {t("admin.hours.weekly")}
        </Checkbox>
        <p role="alert" className={styles.packProblem}>
          {isWrong ? t("admin.hours.refused") : adding.problem}
        </p>
      </form>
    </Sheet>
  );
}

/** Languages, then interests, each by name. */
function topics(t: Translate): SelectOption[] {
  const languages = [...spokenLanguages.keys()].map((id) => ({ value: `language ${id}`, text: spokenName(t, id) }));
  const liked = [...interests.keys()].map((id) => ({ value: `interest ${id}`, text: interestName(t, id) }));
  return [languages, liked].flatMap((group) => group.toSorted((one, other) => one.text.localeCompare(other.text)));
}
