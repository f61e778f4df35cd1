import {
  MAIL_FIGURES_DAYS,
  type MailFigure,
  type MailKind,
  type MailOutcome,
} from '@settee/protocol/model/mail';
import { type Db, millis, rows, run } from '../platform/db/query.ts';

export function countMail(
  db: Db,
  { kind, outcome, reason }: { kind: MailKind; outcome: MailOutcome; reason?: string | undefined },
): Promise<void> {
  return run(db)`
    insert into mail_figures as f (day, kind, outcome, count, last_at, last_reason)
    values (current_date, ${kind}, ${outcome}, 1, now(), ${reason ?? null})
    on conflict (day, kind, outcome) do update
    set count = f.count + 1, last_at = now(), last_reason = excluded.last_reason`;
}

export function readMailFigures(db: Db): Promise<MailFigure[]> {
  return rows<MailFigure>(db)`
    select kind, outcome, sum(count)::int as count,
      ${millis('max(last_at)')} as "lastAt",
      (array_agg(last_reason order by last_at desc))[1] as "lastReason"
    from mail_figures where day > current_date - ${MAIL_FIGURES_DAYS}::int
    group by kind, outcome order by kind, outcome`;
}
