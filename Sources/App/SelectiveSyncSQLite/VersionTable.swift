import GRDB
import PushDispatch
import SelectiveSync

/// Reads the versions of records of one object, with a statement that is compiled once.
struct VersionTable {
    private let object: [UInt8]
    private let find: DirectStatement

    init(_ db: Database, _ object: String) throws {
        self.object = Array(object.utf8)
        find = try DirectStatement(
            db, "SELECT systemModstamp, lastModified, gone FROM record WHERE object = ?1 AND key = ?2")
    }

    func version(of id: RecordID) throws -> StoredVersion? {
        try object.withUnsafeBufferPointer { object in
            try id.withUTF8 { key in
                find.bind(text: object, at: 1)
                find.bind(text: key, at: 2)
                return try find.first { row in
                    StoredVersion(
                        systemModstamp: try row.date(0), lastModifiedDate: try row.date(1),
                        isGone: try row.integer(2) != 0)
                }
            }
        }
    }
}
