import { DESK_NAME_MAX } from '@settee/protocol/model/deskName';
import { fillText } from '@settee/protocol/texts/fillText';
import { setupTexts } from '@settee/protocol/texts/setupTexts';
import { useEffect, useState } from 'react';
import { Card } from '../../staff/Card.tsx';
import { Pill } from '../../staff/Pill.tsx';
import { staffShapes } from '../../staff/shapes.ts';
import { leave, useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { useAdmin, useLiveAdmin } from '../context.ts';
import { shapes } from '../frame/shapes.ts';
import { Link } from '../parts/links.tsx';
import { deskOf } from '../people/deskOf.ts';
import { useAdminQuery } from '../useAdminQuery.ts';
import { useDeskNames } from '../useDesks.tsx';
import styles from './FirstSteps.module.css';

const steps: readonly { step: Step; to: string; title: string; note: string }[] = [
  { step: 'profile', to: '/profile', title: setupTexts.profile, note: setupTexts.profileNote },
  { step: 'handler', to: '/handlers', title: setupTexts.answer, note: setupTexts.answerNote },
  { step: 'invite', to: '/invites/new', title: setupTexts.invite, note: setupTexts.inviteNote },
];

/** Steps before a visitor can be answered. Shown until all are done. */
export function FirstSteps() {
  const done = useFirstSteps();
  if (done === undefined || steps.every(({ step }) => done[step])) return null;
  const next = steps.find(({ step }) => !done[step])?.step;
  const count = steps.filter(({ step }) => done[step]).length;
  return (
    <Card
      title={setupTexts.stepsTitle}
      className={styles.card}
      aside={<span className="quiet">{fillText(setupTexts.stepsProgress, { done: count })}</span>}
    >
      <ol className={styles.steps}>
        {steps.map(({ step, to, title, note }, index) => {
          const choice = step === 'handler' && !done.handler;
          return (
            <li
              key={step}
              className={styles.step}
              data-done={done[step]}
              data-choice={choice}
              aria-current={step === next ? 'step' : undefined}
            >
              <span className={styles.mark} aria-hidden="true">
                {done[step] ? <Icon name="check" size={16} /> : index + 1}
              </span>
              <div className={styles.words}>
                {choice ? (
                  <b>{title}</b>
                ) : (
                  <Link to={to} className={styles.link}>
                    {title}
                  </Link>
                )}
                <p>{note}</p>
                {choice && <AnswerChoice />}
                {done[step] && <Pill tone="good">{setupTexts.stepDone}</Pill>}
              </div>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

type Step = 'profile' | 'handler' | 'invite';

/** The completed steps. Undefined before the first answer. */
function useFirstSteps(): Record<Step, boolean> | undefined {
  const [over, setOver] = useState(false);
  const asked = { enabled: !over };
  const profile = useAdminQuery('profile', 'readFirstSteps', {}, asked).data?.profile;
  const handler = useAdminQuery('staff', 'readFirstSteps', {}, asked).data?.handler;
  const invite = useAdminQuery('invites', 'readFirstSteps', {}, asked).data?.invite;
  const all = profile === true && handler === true && invite === true;
  useEffect(() => {
    if (all) setOver(true);
  }, [all]);
  if (profile === undefined || handler === undefined || invite === undefined) return undefined;
  return { profile, handler, invite };
}

/** Who answers: the administrator at a desk of their own, or somebody else. */
function AnswerChoice() {
  const { session, staff } = useAdmin();
  const { brand } = useLiveAdmin();
  const names = useDeskNames();
  const { busy, error, run } = useChange();
  const desk = brand.displayName.slice(0, DESK_NAME_MAX).trim();

  const answerMyself = () =>
    session.api('changePerson', {
      params: { id: staff.staffId },
      body: { person: deskOf(desk, names, null), bringAlong: false },
    });

  return (
    <>
      <div className={styles.choices}>
        <div>
          <Button
            disabled={busy}
            onClick={() => void run(answerMyself, { done: () => leave(() => location.assign('/handler')) })}
          >
            <Shape paths={staffShapes.inbox} size={18} />
            {setupTexts.answerMyself}
          </Button>
          <p>{fillText(setupTexts.answerMyselfNote, { desk })}</p>
        </div>
        <div>
          <Link to="/handlers/new" className={styles.add}>
            <Shape paths={shapes.users} size={18} />
            {setupTexts.addPerson}
          </Link>
          <p>{setupTexts.addPersonNote}</p>
        </div>
      </div>
      <FieldError text={error} />
    </>
  );
}
