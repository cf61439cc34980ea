import WorkerCore

/// A reader for each tenant, which keeps what it knows from one job to the next.
struct JobReaders {
    private let validates: Bool
    private var readers: [Int: JobReader] = [:]
    private var reloads = 0

    init(validates: Bool) { self.validates = validates }

    /// The lines of all these jobs, one after the other.
    ///
    /// - Parameter reloads: How often the defaults of the tenants were read again. Readers that were made before have the old ones.
    mutating func lines(
        of admitted: [WorkerCore.AdmittedJob], _ tenants: [WorkerTenant], reloads: Int
    ) -> [JobLine] {
        if reloads != self.reloads { readers = [:] }
        self.reloads = reloads
        var lines: [JobLine] = []
        lines.reserveCapacity(admitted.reduce(0) { $0 + $1.lineCount })
        for job in admitted {
            readers[job.tenant, default: JobReader(defaults: tenants[job.tenant].defaults, validates: validates)]
                .read(job, into: &lines)
        }
        return lines
    }
}
