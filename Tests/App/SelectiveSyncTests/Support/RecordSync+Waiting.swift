import PushDispatch

@testable import SelectiveSync

extension RecordSync {
    /// Returns when a call of the sync waits for the store, which works for another one.
    func operationWaits() async {
        while inOrder.waitingCount == 0 { await Task.yield() }
    }

    /// Returns when so many pushes or calls wait for records.
    func tickets(_ count: Int) async {
        while core.tickets.count < count { await Task.yield() }
    }
}
