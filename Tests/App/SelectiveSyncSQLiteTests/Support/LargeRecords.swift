import PushDispatch
import SelectiveSync

/// Records that fill a small disk.
struct LargeRecords: RecordFetcher {
    func fetch(_ request: FetchRequest) -> [FetchedRecord] {
        request.records.map { id in
            .record(
                ServerRecord(
                    id: id,
                    fields: [
                        "Id": .string(id.description), "Name": .string(String(repeating: "x", count: 200_000)),
                        "SystemModstamp": "2026-05-20T20:49:32.000+0000",
                    ]))
        }
    }
}
