-- Search lies beside the messages, never on them: a send pays nothing for it. A gateway fills these tables afterwards
-- (src/db/searchIndex.ts). No foreign keys: they would wait for the row that append_messages locks.

-- Text as it is compared: lower case, compatible forms as one, no accents; 'lea' finds 'Léa', 'strasse' finds 'Straße'.
create function search_fold(p_text text) returns text language sql immutable parallel safe return
  case
    when octet_length(p_text) = length(p_text) then lower(p_text)
    else lower(replace(translate(
      -- Combining marks of Latin, Greek, Cyrillic, Hebrew and Arabic, and the marks that only choose a look.
      regexp_replace(normalize(p_text, NFKD),
        '[\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\ufe00-\ufe0f]', '', 'g'),
      'øØłŁđĐıς', 'oOlLdDiσ'), 'ß', 'ss'))
  end;

-- The words of a text in their order, a space between each two. Whatever is no letter or digit parts them, so no word
-- holds a sign that means something in a tsquery. Kana, ideographs and emoji stand alone: people write them without
-- spaces. No word is longer than a query: a tsvector refuses very long ones.
create function search_words(p_text text) returns text language plpgsql immutable parallel safe as $$
declare
  v_words text := search_fold(p_text);
begin
  if octet_length(v_words) = length(v_words) then
    v_words := btrim(regexp_replace(v_words, '[^a-z0-9]+', ' ', 'g'));
  else
    v_words := regexp_replace(v_words,
      '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f]+', ' ', 'g');
    v_words := regexp_replace(v_words,
      '([\u2190-\u2bff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U0001f000-\U0001faff\U00020000-\U0003ffff])', ' \1 ', 'g');
    v_words := btrim(regexp_replace(v_words, ' +', ' ', 'g'));
  end if;
  if length(v_words) > 200 then
    v_words := regexp_replace(v_words, '([^ ]{200})[^ ]+', '\1', 'g');
  end if;
  return v_words;
end $$;

-- What every word of a desk begins with: its own stretch of the index, so that no other desk's words are ever walked
-- over, not even by a prefix. Two desks with the same key cost time, not secrecy: a query also asks whose a hit is.
create function search_key(p_alias text, p_kind text) returns text language sql immutable parallel safe return
  left(md5(p_alias), 4) || case p_kind when 'message' then ':' else '~' end;

create function search_vector(p_key text, p_text text) returns tsvector language plpgsql immutable parallel safe as $$
declare
  v_words text := search_words(p_text);
begin
  if v_words = '' then return ''; end if;
  return array_to_tsvector(string_to_array(p_key || replace(v_words, ' ', ' ' || p_key), ' '));
end $$;

-- Null when there is no word in the text. The last word may be unfinished; in names, any.
create function search_query(p_aliases text[], p_kind text, p_text text) returns text
language sql immutable parallel safe return (
  select string_agg(desk.query, ' | ') from (
    select '(' || string_agg(
      '''' || search_key(a.alias, p_kind) || w.word || case when p_kind = 'name' or w.left_over = 1 then ''':*' else '''' end,
      ' & ') || ')'
    from unnest(p_aliases) as a (alias)
    cross join (
      select w.word, row_number() over (order by w.place desc) as left_over
      from string_to_table(nullif(search_words(p_text), ''), ' ') with ordinality as w (word, place)
    ) w
    group by a.alias
  ) as desk (query)
);

-- One row per message, and one with the number 0 for the names of a conversation.
create table search_entries (
  conversation_id uuid not null,
  seq integer not null,
  created_at timestamptz not null,
  words tsvector not null,
  primary key (conversation_id, seq)
);
-- With its list of what is still to be sorted in: without it a slice took several times as long. Whoever fills the list
-- sorts all of it in; half a megabyte is done within the time of a slice, the default of four is not on a busy machine.
create index search_entries_words on search_entries using gin (words) with (gin_pending_list_limit = 512);

-- How far a conversation is in the index, and as whose and under which name. What differs is indexed anew, so a
-- hand-over or another name needs no word to anybody.
create table search_heads (
  conversation_id uuid primary key,
  seq integer not null default 0,
  alias text,
  visitor_name text
);
