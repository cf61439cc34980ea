import GRDB

extension StoreError {
    init(_ error: any Error, opening path: String) { self.init(error, path, "opened") }
    init(_ error: any Error, reading path: String) { self.init(error, path, "read") }
    init(_ error: any Error, writing path: String) { self.init(error, path, "written") }

    init(damaged path: String, _ what: String) {
        self.init(
            .damaged,
            "\(path) is damaged and is not changed: \(what). Move it away to start with an empty store; sqlite3 with "
                + ".recover may save what is in it")
    }

    private init(_ error: any Error, _ path: String, _ attempt: String) {
        guard let error = error as? DatabaseError else {
            self.init(.unusable, "\(path) cannot be \(attempt): \(error)")
            return
        }
        let text = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_NOTADB:
            self.init(
                .foreign, "\(path) is not the store of a gateway and is not changed; name another file for the store")
        case .SQLITE_CORRUPT: self.init(damaged: path, text)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .taken,
                "\(path) is in use, most likely by another gateway that is still running; stop that one, or name another "
                    + "file for the store")
        case .SQLITE_FULL:
            self.init(.full, "\(path) cannot be \(attempt): the disk is full; free some space")
        default:
            self.init(
                .unusable,
                "\(path) cannot be \(attempt): \(text); check the disk, and the permissions of the file and its folder")
        }
    }
}
