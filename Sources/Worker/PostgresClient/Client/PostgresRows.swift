internal import CPostgres

/// The rows of a statement.
///
/// `@unchecked Sendable` because nothing changes a result of libpq after it was received.
package final class PostgresRows: @unchecked Sendable {
    private let handle: ResultHandle

    init(_ raw: OpaquePointer) { handle = ResultHandle(raw: raw) }

    enum Status {
        case rows, command, synchronized, skipped
        case error(PostgresError)
    }

    var status: Status {
        switch PQresultStatus(handle.raw) {
        case PGRES_TUPLES_OK: .rows
        case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: .command
        case PGRES_PIPELINE_SYNC: .synchronized
        case PGRES_PIPELINE_ABORTED: .skipped
        default:
            .error(
                PostgresError(
                    sqlState: field(CPostgres_sqlstate) ?? "?", message: field(CPostgres_message) ?? "no message"))
        }
    }

    private func field(_ code: Int32) -> String? { PQresultErrorField(handle.raw, code).map { String(cString: $0) } }

    package var count: Int { Int(PQntuples(handle.raw)) }

    /// How many rows the statement inserted, changed, removed or selected.
    package var affected: Int { Int(String(cString: PQcmdTuples(handle.raw))) ?? 0 }

    /// Nil is NULL.
    package func text(_ row: Int, _ column: Int) -> String? {
        field(row, column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a text. Nil is NULL.
    package func bytes(_ row: Int, _ column: Int) -> [UInt8]? { field(row, column).map { Array($0) } }

    package func number(_ row: Int, _ column: Int) -> Int64? { text(row, column).flatMap { Int64($0) } }

    package func isTrue(_ row: Int, _ column: Int) -> Bool { field(row, column)?.first == UInt8(ascii: "t") }

    private func field(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
        precondition((0..<count).contains(row) && column < Int(PQnfields(handle.raw)), "there is no such field")
        let row = Int32(row)
        let column = Int32(column)
        guard PQgetisnull(handle.raw, row, column) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(handle.raw, row, column), count: Int(PQgetlength(handle.raw, row, column)))
    }
}

private struct ResultHandle: ~Copyable {
    let raw: OpaquePointer
    deinit { PQclear(raw) }
}
