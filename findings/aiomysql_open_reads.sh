#!/bin/sh
# aiomysql 0.3.2 with PyMySQL 1.2.4 on MariaDB (seen with 10.11.19 of Debian 12). Needs mariadb-install-db and mariadbd on the
# PATH; starts a server of its own, on a socket in the temporary folder, for any user.
#
# Expected: a pool hands out connections without what somebody before has left open. `Pool.release` closes one whose
#   `get_transaction_status()` says that a transaction is open. The server says so at the end of every answer
#   (SERVER_STATUS_IN_TRANS in its OK and EOF packets).
# Happens: the status of an EOF packet, which ends the rows of a SELECT, is not noted. A transaction that has only read, or
#   locked by SELECT … FOR UPDATE, counts as none: its connection goes back open, keeps its locks, and whoever gets it next
#   reads the state of then. PyMySQL has the same gap; only aiomysql decides by it.
# For a shop: prices and stock as they were minutes ago, from some connections. This shop asks SQLAlchemy whether a
#   transaction has ended (domain/database/engines.py; tests/domain/database/test_engines.py).
set -eu
PATH=$PATH:/usr/sbin
for program in mariadb-install-db mariadbd; do
    command -v "$program" > /dev/null || { echo "aiomysql_open_reads: needs $program" >&2; exit 2; }
done
folder=$(mktemp -d)
server=""
stop() {
    [ -z "$server" ] || { kill "$server" && wait "$server" || true; }
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps aiomysql==0.3.2 pymysql==1.2.4

user=$(id -un)
mariadb-install-db --no-defaults --user="$user" --datadir="$folder/data" --auth-root-authentication-method=normal \
    > install.log 2>&1 || { cat install.log >&2; exit 2; }
mariadbd --no-defaults --user="$user" --datadir="$folder/data" --socket="$folder/socket" --skip-networking --skip-grant-tables \
    --innodb-buffer-pool-size=8M > server.log 2>&1 &
server=$!

cat > run.py <<'END'
import asyncio

import aiomysql
from pymysql.err import OperationalError

ABOUT = {"unix_socket": "socket", "user": "root", "db": "test"}


async def run(connection, statement):
    async with connection.cursor() as cursor:
        await cursor.execute(statement)
        return await cursor.fetchone()


async def main():
    for _ in range(100):
        try:
            other = await aiomysql.connect(**ABOUT, autocommit=True)
            break
        except OperationalError:
            await asyncio.sleep(0.2)
    await run(other, "CREATE TABLE prices (id INT PRIMARY KEY, price INT) ENGINE=InnoDB")
    await run(other, "INSERT INTO prices VALUES (1, 10)")
    for first in ("UPDATE prices SET price = price", "SELECT price FROM prices", "SELECT price FROM prices FOR UPDATE"):
        pool = await aiomysql.create_pool(**ABOUT, minsize=1, maxsize=1)
        await run(other, "UPDATE prices SET price = 10")
        async with pool.acquire() as connection:
            await run(connection, first)
            status = connection.get_transaction_status()
        await run(other, "SET innodb_lock_wait_timeout = 1")
        try:
            await run(other, "UPDATE prices SET price = 20")
            changed = "another changes it"
        except OperationalError as error:
            changed = f"another cannot change it: error {error.args[0]}"
        async with pool.acquire() as connection:
            (price,) = await run(connection, "SELECT price FROM prices")
        print(f"{first}: in a transaction {status}; {changed}; the next one reads {price}")
        pool.terminate()
        await pool.wait_closed()
    other.close()


asyncio.run(main())
END
venv/bin/python run.py > seen

cat > expected <<'END'
UPDATE prices SET price = price: in a transaction True; another changes it; the next one reads 20
SELECT price FROM prices: in a transaction False; another changes it; the next one reads 10
SELECT price FROM prices FOR UPDATE: in a transaction False; another cannot change it: error 1205; the next one reads 10
END
diff expected seen || { echo "aiomysql_open_reads: the behaviour has changed" >&2; exit 1; }
cat seen
