import { adminTexts } from '@settee/protocol/adminTexts';
import { inviteAdminTexts as texts } from '@settee/protocol/inviteAdminTexts';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { Card } from '../../staff/Card.tsx';
import { ListState } from '../../staff/ListState.tsx';
import { Button } from '../../ui/Button.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { LoadMore } from '../parts/LoadMore.tsx';
import { OfChoice } from '../parts/OfChoice.tsx';
import { Page } from '../parts/Page.tsx';
import { BulkBar } from './BulkBar.tsx';
import { type Asked, InviteDialog } from './InviteDialog.tsx';
import { InviteFilters } from './InviteFilters.tsx';
import styles from './InviteList.module.css';
import { InviteTable } from './InviteTable.tsx';
import { useChosen } from './useChosen.ts';
import { type Chosen, type Listed, useInvites } from './useInvites.ts';

export function InviteList() {
  const navigate = useNavigate();
  const [chosen, choose] = useChosen();
  const query = useInvites(chosen);
  const toNew = () => void navigate('/invites/new');
  return (
    <Page title={adminTexts.invites} actions={<Button onClick={toNew}>{texts.newInvite}</Button>}>
      <InviteFilters chosen={chosen} counts={query.data?.counts} onChoose={choose} />
      <Card>
        <Loaded query={query} thing={texts.thing}>
          {(listed) => (
            <Rows
              // Another choice is another list: what was selected in the one before is not in sight.
              key={JSON.stringify(chosen)}
              listed={listed}
              earlier={query.isPlaceholderData}
              nothing={
                <Nothing
                  chosen={chosen}
                  onNew={toNew}
                  onAll={() => choose({ state: null, alias: '', search: '' })}
                />
              }
              more={<LoadMore query={query} thing={texts.thing} />}
            />
          )}
        </Loaded>
      </Card>
    </Page>
  );
}

/** One sentence and one action. */
function Nothing({ chosen, onNew, onAll }: { chosen: Chosen; onNew: () => void; onAll: () => void }) {
  const narrowed = chosen.state !== null || chosen.alias !== '' || chosen.search !== '';
  return (
    <div className={styles.nothing}>
      <ListState>
        <p>{narrowed ? texts.nothingFound : texts.empty}</p>
        <Button look="outline" onClick={narrowed ? onAll : onNew}>
          {narrowed ? texts.showAll : texts.newInvite}
        </Button>
      </ListState>
    </div>
  );
}

type RowsProps = { listed: Listed; earlier: boolean; nothing: ReactNode; more: ReactNode };

/**
 * It stays in its place without any rows: news may take the last one out of the list while a question about it is
 * open, or its new link on show.
 */
function Rows({ listed: { rows }, earlier, nothing, more }: RowsProps) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<Asked | null>(null);
  const selected = rows.filter(({ id }) => marked.has(id));
  const clear = () => setMarked(new Set());
  return (
    <>
      <OfChoice earlier={earlier} empty={rows.length === 0}>
        {rows.length === 0 ? (
          nothing
        ) : (
          <InviteTable rows={rows} marked={marked} onMark={setMarked} onAsk={setAsked} />
        )}
      </OfChoice>
      {more}
      {selected.length > 0 && (
        <BulkBar
          selected={selected}
          onClear={clear}
          onRevoke={(invites) => setAsked({ what: 'revoke', invites })}
        />
      )}
      {asked && (
        <InviteDialog
          asked={asked}
          onClose={() => setAsked(null)}
          onDone={() => asked.what === 'revoke' && clear()}
        />
      )}
    </>
  );
}
