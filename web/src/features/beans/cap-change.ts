import { beanCap } from "@fava/wire/endpoints/beans.ts";
import { formatTime } from "#lib/format-date.ts";
import { formatBeans, formatSpan } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useEndpointMutation } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { showToast } from "#ui/toast-store.ts";
import type { QuickChoice } from "#ui/QuickChoices.tsx";
import { usePrices } from "./prices.ts";
import { refreshWallet, useWallet } from "./wallet.ts";

interface CapSaving {
  /** Null: no cap. */
  readonly save: (beans: number | null) => void;
  readonly isSaving: boolean;
}

/** Saves another spending cap; a toast says from when it applies, or that there was no response. */
export function useCapChange(onSaved?: () => void): CapSaving {
  const t = useT();
  const userId = useUser()?.user_id;
  const { mutate, isPending } = useEndpointMutation(beanCap, {
    onSuccess({ pending }) {
      refreshWallet();
      const text = pending ? t("cap.savedLater", { time: formatTime(pending.from) }) : t("cap.saved");
      showToast({ type: "success", text });
      onSaved?.();
    },
  });
  return {
    save: (beans) => userId !== undefined && mutate({ user_id: userId, beans: beans ?? -1 }),
    isSaving: isPending,
  };
}

const presetMinutes = [10, 30, 60] as const;

/** Caps in minutes a day with the gender filter; none until the wallet is loaded, and where that is free. */
export function useCapChoices(): readonly QuickChoice[] {
  const t = useT();
  const prices = usePrices();
  const cap = useWallet()?.cap;
  const { save, isSaving } = useCapChange();
  if (!cap || prices.gender === 0) return [];
  return presetMinutes.map((minutes) => {
    const beans = minutes * prices.gender;
    const money = prices.inMoney(beans);
    return {
      text: money,
      hint: formatSpan(minutes * 60),
      label: t("cap.preset", { count: formatBeans(beans), money }),
      isOn: cap.beans === beans && cap.pending === null,
      onPick: () => !isSaving && save(beans),
    };
  });
}
