import PushDispatch
import SelectiveSync

extension AppProcess {
    /// Uploads the edits of all objects.
    ///
    /// - Parameter then: Receives the reports of all objects, unless the process ends before.
    func upload(
        overwrites: Bool, within milliseconds: Int64,
        then: @escaping @Sendable ([String: UploadReport]) -> Void = { _ in }
    ) {
        guard device.account != nil else { return }
        ready { [self] in
            start { [self] in then(await uploads(overwrites: overwrites, within: milliseconds)) }
        }
    }

    /// What an app does when it comes to the foreground: an upload, and then a regular sync of each object in the time that is
    /// left.
    func refresh(within milliseconds: Int64) {
        guard device.account != nil else { return }
        ready { [self] in
            let stopAt = clock.now().advanced(byMilliseconds: milliseconds)
            start { [self] in
                _ = await uploads(overwrites: false, within: milliseconds)
                guard clock.isRunning else { return }
                _ = await regularSyncs(checksGhosts: false, within: stopAt.milliseconds(since: clock.now()))
            }
        }
    }

    private func uploads(overwrites: Bool, within milliseconds: Int64) async -> [String: UploadReport] {
        run.trace("\(device.name) begins an upload\(overwrites ? ", overwriting other changes" : "")")
        let reports = await sync.upload(
            to: AuditedUploader(client: source, overwrites: overwrites), mode: overwrites ? .overwrite : nil,
            until: clock.now().advanced(byMilliseconds: milliseconds))
        guard clock.isRunning else { return reports }
        for (object, report) in reports.sorted(by: { $0.key < $1.key }) {
            run.trace("\(device.name)'s upload of \(object) is \(report.state.rawValue), \(report.uploaded) sent")
        }
        return reports
    }
}
