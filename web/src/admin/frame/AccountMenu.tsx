import { initials } from '@settee/protocol/model/initials';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useEffect, useRef, useState } from 'react';
import { ThemeChoice } from '../../browser/ThemeChoice.tsx';
import { staffStorageKey } from '../../chat/outbox/outbox.ts';
import { browserUnsent, type UnsentStore } from '../../chat/outbox/unsentStore.ts';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import items from '../../staff/menu/items.module.css';
import { LanguageChoice } from '../../staff/menu/LanguageChoice.tsx';
import { MenuButton, MenuHeader } from '../../staff/menu/MenuButton.tsx';
import { findUnfinished } from '../../staff/signOut/unfinished.ts';
import { useSignOut } from '../../staff/signOut/useSignOut.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { MenuItem } from '../../ui/Menu.tsx';
import { useAdmin } from '../context.ts';
import { useNavigate } from '../parts/links.tsx';
import { latestUnsavedWork, type UnsavedWork } from '../parts/unsavedWork.ts';
import styles from './AccountMenu.module.css';
import { shapes } from './shapes.ts';

/** The signed-in administrator: theme, security and sign-out. */
export function AccountMenu({ onGo }: { onGo?: () => void }) {
  const { session, staff } = useAdmin();
  const navigate = useNavigate();
  const [losing, setLosing] = useState<UnsavedWork>();

  /** The texts of the console, read at the first Sign Out. */
  const unsent = useRef<UnsentStore>(undefined);
  useEffect(() => () => unsent.current?.stop(), []);
  const { signOut, question } = useSignOut(session, () => {
    unsent.current ??= browserUnsent(staffStorageKey(staff.staffId));
    return findUnfinished(staff.staffId, unsent.current);
  });

  function leave(): void {
    const unkept = latestUnsavedWork();
    if (unkept) setLosing(unkept);
    else void signOut();
  }

  return (
    <>
      <MenuButton
        label={fillText(consoleTexts.meAs, {
          me: consoleTexts.me,
          name: staff.name,
          state: adminTexts.administrator,
        })}
        className={styles.button}
        face={
          <>
            <span className={styles.initials}>{initials(staff.name)}</span>
            <span className={styles.who}>
              <bdi className="cut">{staff.name}</bdi>
              <small>{adminTexts.administrator}</small>
            </span>
          </>
        }
      >
        {(choose) => (
          <>
            <MenuHeader name={staff.name} note={adminTexts.administrator} />
            <ThemeChoice />
            <LanguageChoice api={session.api} />
            <div className={items.group}>
              <MenuItem
                onClick={() =>
                  choose(() => {
                    onGo?.();
                    void navigate('/security');
                  })
                }
              >
                <Shape paths={shapes.shield} />
                {adminTexts.security}
              </MenuItem>
              <MenuItem onClick={() => choose(leave)}>
                <Shape paths={shapes.out} />
                {consoleTexts.signOut}
              </MenuItem>
            </div>
          </>
        )}
      </MenuButton>
      {losing && (
        <FormDialog
          title={losing.title}
          note={losing.note}
          action={consoleTexts.signOut}
          danger
          onClose={() => setLosing(undefined)}
          onSubmit={() => signOut().then(() => undefined)}
        />
      )}
      {question}
    </>
  );
}
