import { DESK_NAME_MAX } from '@settee/protocol/model/deskName';
import { fillText } from '@settee/protocol/texts/fillText';
import { setupTexts } from '@settee/protocol/texts/setupTexts';
import { Link } from 'react-router';
import { staffShapes } from '../../staff/shapes.ts';
import { leave, useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { useAdmin, useLiveAdmin } from '../context.ts';
import { shapes } from '../frame/shapes.ts';
import { deskOf } from '../people/deskOf.ts';
import { useDeskNames } from '../useDesks.tsx';
import styles from './FirstSteps.module.css';

/** Who answers: the administrator at a desk of their own, or somebody else. */
export function AnswerChoice() {
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
