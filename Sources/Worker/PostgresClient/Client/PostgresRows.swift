internal import CPostgres

/// The rows of a statement.
///
/// `@unchecked Sendable` because nothing changes a result of libpq after it was received.
package final class PostgresRows: @unchecked Sendable {
    private let handle: ResultHandle

    package let count: Int
    private let columns: Int

    init(_ raw: OpaquePointer) {
        handle = ResultHandle(raw: raw)
        count = Int(PQntuples(raw))
        columns = Int(PQnfields(raw))
    }

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

    /// How many rows the statement inserted, changed, removed or selected.
    package var affected: Int { Int(String(cString: PQcmdTuples(handle.raw))) ?? 0 }

    /// Nil is NULL.
    package func text(_ row: Int, _ column: Int) -> String? {
        field(row, column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a text. Nil is NULL.
    package func bytes(_ row: Int, _ column: Int) -> [UInt8]? { field(row, column).map { Array($0) } }

    /// Nil is NULL, or no integer.
    package func number(_ row: Int, _ column: Int) -> Int64? {
        guard let digits = field(row, column) else { return nil }
        let isNegative = digits.first == UInt8(ascii: "-")
        var number: Int64 = 0
        for digit in digits.dropFirst(isNegative ? 1 : 0) {
            let (shifted, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (next, overflows) = shifted.subtractingReportingOverflow(Int64(digit) - Int64(UInt8(ascii: "0")))
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit), !isTooLarge, !overflows else { return nil }
            number = next
        }
        guard digits.count > (isNegative ? 1 : 0), isNegative || number != .min else { return nil }
        return isNegative ? number : -number
    }

    package func isTrue(_ row: Int, _ column: Int) -> Bool { field(row, column)?.first == UInt8(ascii: "t") }

    private func field(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
        precondition((0..<count).contains(row) && (0..<columns).contains(column), "there is no such field")
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
