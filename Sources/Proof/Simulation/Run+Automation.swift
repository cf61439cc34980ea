import OrgSimulator
import PushDispatch

/// What the org does by itself after a device has uploaded a change.
extension Run {
    /// A flow changes the record in the same transaction or soon after: the field that was uploaded, or another one. It leaves
    /// the date of the last change by a user unchanged.
    func automate(_ record: RecordID, of object: String) {
        guard injectsFaults, chance(settings.automationPercent) else { return }
        count(.automation)
        let delay = Int64(pick([0, 0, 200, 5_000]) ?? 0)
        if delay == 0 {
            runFlow(record, of: object)
        } else {
            timeline.after(delay) { [self] in runFlow(record, of: object) }
        }
    }

    private func runFlow(_ record: RecordID, of object: String) {
        guard let row = org.org[record] else { return }
        let isUploaded = chance(60)
        let field = isUploaded ? "Name" : object == "Account" ? "Type" : "Status"
        let text = isUploaded ? "\(row.fields["Name"]?.string ?? "") checked" : "flow"
        trace("automation changes \(field) of \(record)")
        let change = Org.Change(record, [field: .string("\(text) \(nextNumber())")])
        guard let pushes = org.update([change], by: row.lastModifiedBy, from: .automaticProcess, at: orgNow) else {
            return
        }
        pushService.send(pushes)
    }
}
