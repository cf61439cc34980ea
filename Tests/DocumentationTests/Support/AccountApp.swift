import PushDispatch

/// A store of the app's own, with what the pages call by name.
actor AccountStore: PendingStore {
    private var list = PendingList()
    private var accounts: [RecordID] = []

    func records(of object: String) -> [RecordID] { accounts }

    func put(_ records: [RecordID]) { accounts += records }

    func keep(_ hint: Hint) -> PendingMark? { list.keep(hint) }

    func pending(of object: String, after mark: PendingMark?) -> [PendingRecord] {
        list.pending(of: object, after: mark)
    }

    func forget(_ records: [PendingRecord], of object: String) { list.forget(records, of: object) }

    func forgetAll() { list.forgetAll() }
}

/// Stores what a hint names.
struct AccountHandler: HintHandler {
    let store: AccountStore

    func handle(_ hint: Hint, _ context: HandlerContext) async -> HandlerReport {
        await store.put(hint.records)
        return HandlerReport(changed: hint.records.count)
    }
}

let store = AccountStore()
let handler = AccountHandler(store: store)
