import PushDispatch
import SelectiveSync
import SwiftUI

/// A record, as the store has it now. An account can be renamed.
struct RecordView: View {
    private let id: RecordID
    private let object: String
    private let rename: @MainActor (AccountRow, String) -> Void
    @State private var record: LocalRecord?
    @State private var problem: String?
    @State private var name = ""

    init(_ id: RecordID, of object: String, rename: @escaping @MainActor (AccountRow, String) -> Void) {
        self.id = id
        self.object = object
        self.rename = rename
    }

    var body: some View {
        VStack {
            Text(problem ?? record?.fields["Name"]?.string ?? "–")
            if object == "Account", let record {
                TextField("New name", text: $name)
                Button("Rename") { rename(AccountRow(record), name) }
            }
        }
        .task {
            do {
                let store = try await AppDelegate.crm.store()
                for try await stored in store.observe(.server(id), of: object) { record = stored }
            } catch {
                problem = String(describing: error)
            }
        }
    }
}
