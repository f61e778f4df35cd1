import { EXPORT_PAGE, type ExportedMessage } from '@settee/protocol/calls/conversationAdminCalls';
import { type Db, exactMillis, rows } from '../platform/db/query.ts';

/** A page of long messages ends earlier, to keep answers small. */
const TEXT_MAX = 2_000_000;

type Row = {
  seq: number;
  id: string;
  fromOwner: boolean;
  text: string;
  createdAt: number;
  writtenBy: string | null;
  fileName: string | null;
  mediaType: string;
  size: number;
  width: number;
  height: number;
};

/** Messages after a number, and the number to continue after; null at the end. */
export async function readExportPage(
  db: Db,
  conversationId: string,
  after: number,
): Promise<{ messages: ExportedMessage[]; next: number | null }> {
  const found = await rows<Row>(db, 'export-page')`
    select m.seq, m.id, m.from_owner as "fromOwner", m.text,
      ${exactMillis('m.created_at')} as "createdAt", s.name as "writtenBy",
      f.file_name as "fileName", f.media_type as "mediaType", f.bytes as size, f.width, f.height
    from messages m
    left join media f on f.id = m.media_id
    left join staff s on m.from_owner and s.id = m.author_id
    where m.conversation_id = ${conversationId} and m.seq > ${after} order by m.seq limit ${EXPORT_PAGE}`;
  let letters = 0;
  const fits = found.filter(({ text }, place) => {
    letters += text.length;
    return place === 0 || letters <= TEXT_MAX;
  });
  const whole = fits.length === found.length && found.length < EXPORT_PAGE;
  return { messages: fits.map(exported), next: whole ? null : (fits.at(-1)?.seq ?? null) };
}

function exported({
  seq,
  id,
  fromOwner,
  text,
  createdAt,
  writtenBy,
  fileName,
  ...file
}: Row): ExportedMessage {
  return {
    seq,
    id,
    sender: fromOwner ? 'owner' : 'visitor',
    text,
    createdAt: Math.round(createdAt),
    ...(fileName !== null && { image: { fileName, ...file } }),
    ...(writtenBy !== null && { writtenBy }),
  };
}
