#!/bin/sh
# Copies of a PostgreSQL of your own, by its own tools and the variables of libpq (PGHOST, PGUSER, PGDATABASE, ...).
#   backup.sh make             writes FOLDER/fava-TIME with the database, row counts and, if DATA_DIR is set, the pictures
#   backup.sh every HOURS      the same again and again
#   backup.sh check BACKUP     restores the database of a backup into a scratch database and compares its rows
#   backup.sh restore BACKUP   restores it into the database that PGDATABASE names, which must be empty
# BACKUP_FOLDER says where (/backups), BACKUP_KEEP how many to keep (14), BACKUP_AFTER a command that takes the new
# folder as its argument and copies it elsewhere.
set -eu
folder=${BACKUP_FOLDER:-/backups}
psql="psql --no-psqlrc --quiet --tuples-only --no-align -v ON_ERROR_STOP=1"

# Prints "TABLE ROWS" for each table that has rows, in the transaction of the caller's psql.
counts="select format('select %L, count(*) from %I.%I', table_schema || '.' || table_name, table_schema, table_name)
  from information_schema.tables where table_type = 'BASE TABLE'
  and table_schema not in ('pg_catalog', 'information_schema') order by 1"

make() {
  umask 077
  name=fava-$(date -u +%Y%m%dT%H%M%SZ)
  work=$folder/$name.unfinished
  mkdir "$work"
  trap 'rm -rf "$work"' EXIT
  # The dump and the counts see the same moment.
  WORK=$work $psql --field-separator=' ' <<SQL
begin isolation level repeatable read read only;
select pg_export_snapshot() as snapshot \gset
\setenv SNAPSHOT :snapshot
\! pg_dump --format=custom --snapshot="\$SNAPSHOT" --file="\$WORK/database.dump" || touch "\$WORK/failed"
\o $work/rows
$counts \gexec
\o
commit;
SQL
  [ ! -e "$work/failed" ] || { echo "pg_dump failed" >&2; exit 1; }
  # tar exits with 1 if a picture was added or removed while it read. Anything else that is wrong is 2.
  if [ -n "${DATA_DIR:-}" ]; then tar -C "$DATA_DIR" -cf "$work/data.tar" . || [ $? -eq 1 ]; fi
  (cd "$work" && sha256sum -- * > sums)
  mv "$work" "$folder/$name"
  trap - EXIT
  find "$folder" -mindepth 1 -maxdepth 1 -name 'fava-*Z' | sort -r | tail -n +$((${BACKUP_KEEP:-14} + 1)) | xargs -r rm -r
  echo "$folder/$name"
  if [ -n "${BACKUP_AFTER:-}" ]; then $BACKUP_AFTER "$folder/$name"; fi
}

# Restores the database of the backup $1 into the database $2, and compares its rows.
fill() {
  (cd "$1" && sha256sum --check --quiet sums)
  pg_restore --single-transaction --no-owner --dbname="$2" "$1/database.dump"
  $psql --dbname="$2" --field-separator=' ' > /tmp/rows.$$ <<SQL
$counts \gexec
SQL
  if ! diff "$1/rows" /tmp/rows.$$; then echo "the restored rows differ from the backup's" >&2; exit 1; fi
  rm /tmp/rows.$$
  echo "$(wc -l < "$1/rows") tables with all their rows are in $2"
}

case ${1:-} in
  make) make ;;
  every) while :; do sh "$0" make || echo "the backup failed" >&2; sleep $(($2 * 3600)); done ;;
  check)
    scratch=restore_check
    $psql --dbname=postgres -c "drop database if exists $scratch" -c "create database $scratch"
    fill "$2" $scratch
    ;;
  restore) fill "$2" "$PGDATABASE" ;;
  *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 1 ;;
esac
