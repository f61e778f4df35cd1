set local lock_timeout = '300ms';

-- Where what was here is now. The key is the hash of an invite token or of a staff cookie, or the id of a conversation,
-- of a visitor or of a session of staff, as bytes.
create table moved (
  key bytea primary key,
  cell text not null,
  moved_at timestamptz not null default now()
);

-- Desks that `settee desk move` is copying here.
create table arriving_desks (
  alias text primary key,
  from_cell text not null
);

-- Visitors who came with a desk. Only theirs is a cookie that this cell did not sign.
create table arrived_visitors (
  visitor_id uuid primary key
);

-- While a desk moves, `settee desk move` creates triggers with this function, so that nothing of the desk changes behind
-- its back. The argument is the desk. The code is in server/src/platform/db/fence.ts too.
create function refuse_leaving() returns trigger language plpgsql as $$
declare
  v_row jsonb;
  v_old jsonb := '{}';
begin
  if current_setting('settee.moves', true) is distinct from tg_argv[0] then
    v_row := to_jsonb(case tg_op when 'DELETE' then old else new end);
    if tg_op = 'UPDATE' then v_old := to_jsonb(old); end if;
    if tg_argv[0] in (v_row ->> 'handler_alias', v_old ->> 'handler_alias', v_row ->> 'alias', v_old ->> 'alias')
      or exists (select from staff s where s.alias = tg_argv[0] and s.id = (v_row ->> 'staff_id')::uuid)
      or exists (
        select from conversations c where c.handler_alias = tg_argv[0] and (
          c.id = (v_row ->> 'conversation_id')::uuid
          or (tg_table_name = 'invites' and c.invite_id = (v_row ->> 'id')::uuid)
        )
      )
    then
      raise exception 'this desk moves to another cell' using errcode = 'MOVES';
    end if;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
