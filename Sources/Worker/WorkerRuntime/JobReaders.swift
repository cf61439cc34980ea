import WorkerCore

/// A reader for each tenant, which keeps what it knows from one job to the next.
struct JobReaders {
    private let validates: Bool
    /// By tenant; nil for one without jobs so far.
    private var readers: [JobReader?] = []
    private var reloads = 0

    init(validates: Bool) { self.validates = validates }

    /// The lines of all these jobs, one after the other.
    ///
    /// - Parameter reloads: How often the defaults of the tenants were read again. Readers that were made before have the old ones.
    mutating func lines(
        of admitted: [WorkerCore.AdmittedJob], _ tenants: [WorkerTenant], reloads: Int
    ) -> [JobLine] {
        if reloads != self.reloads { readers = [] }
        self.reloads = reloads
        var lines: [JobLine] = []
        lines.reserveCapacity(admitted.reduce(0) { $0 + $1.lineCount })
        for job in admitted {
            while readers.count <= job.tenant { readers.append(nil) }
            if readers[job.tenant] == nil {
                readers[job.tenant] = JobReader(defaults: tenants[job.tenant].defaults, validates: validates)
            }
            readers[job.tenant]?.read(job, into: &lines)
        }
        return lines
    }
}
