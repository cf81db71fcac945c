// Cases of codes.cpp: executions, and plans that are none.
#include "cases.h"

void add_executing(Cases& cases) {
  cases.add("ExecC2C not made", Made::no,
            [](G g) { return g.f.ExecC2C(g.h, g.m.c(), g.m.c(), CUFFT_FORWARD); });
  cases.add("ExecC2C good", Made::c2c, [](G g) { return g.f.ExecC2C(g.h, g.m.c(), g.m.c(), CUFFT_FORWARD); });
  cases.add("ExecC2C null input", Made::c2c,
            [](G g) { return g.f.ExecC2C(g.h, nullptr, g.m.c(), CUFFT_FORWARD); });
  cases.add("ExecC2C null output", Made::c2c,
            [](G g) { return g.f.ExecC2C(g.h, g.m.c(), nullptr, CUFFT_FORWARD); });
  cases.add("ExecC2C direction 0", Made::c2c, [](G g) { return g.f.ExecC2C(g.h, g.m.c(), g.m.c(), 0); });
  cases.add("ExecC2C direction 5", Made::c2c, [](G g) { return g.f.ExecC2C(g.h, g.m.c(), g.m.c(), 5); });
  cases.add("ExecC2C of R2C", Made::r2c,
            [](G g) { return g.f.ExecC2C(g.h, g.m.c(), g.m.c(), CUFFT_FORWARD); });
  cases.add("ExecR2C of C2C", Made::c2c, [](G g) { return g.f.ExecR2C(g.h, g.m.r(), g.m.c()); });
  cases.add("ExecC2R of R2C", Made::r2c, [](G g) { return g.f.ExecC2R(g.h, g.m.c(), g.m.r()); });
  cases.add("ExecZ2Z of C2C", Made::c2c,
            [](G g) { return g.f.ExecZ2Z(g.h, g.m.z(), g.m.z(), CUFFT_FORWARD); });
  cases.add("ExecC2C of Z2Z", Made::z2z,
            [](G g) { return g.f.ExecC2C(g.h, g.m.c(), g.m.c(), CUFFT_FORWARD); });
  cases.add("ExecR2C good", Made::r2c, [](G g) { return g.f.ExecR2C(g.h, g.m.r(), g.m.c()); });
  cases.add("ExecR2C null", Made::r2c, [](G g) { return g.f.ExecR2C(g.h, nullptr, nullptr); });
  cases.add("ExecC2R good", Made::c2r, [](G g) { return g.f.ExecC2R(g.h, g.m.c(), g.m.r()); });
  cases.add("ExecD2Z good", Made::d2z, [](G g) { return g.f.ExecD2Z(g.h, g.m.d(), g.m.z()); });
  cases.add("ExecZ2D good", Made::z2d, [](G g) { return g.f.ExecZ2D(g.h, g.m.z(), g.m.d()); });
  cases.add("ExecZ2Z good", Made::z2z, [](G g) { return g.f.ExecZ2Z(g.h, g.m.z(), g.m.z(), CUFFT_INVERSE); });
  cases.add("XtExec good", Made::c2c, [](G g) { return g.f.XtExec(g.h, g.m.at, g.m.at, CUFFT_FORWARD); });
  cases.add("XtExec direction 5", Made::c2c, [](G g) { return g.f.XtExec(g.h, g.m.at, g.m.at, 5); });
  cases.add("XtExec of R2C, direction 5", Made::r2c, [](G g) { return g.f.XtExec(g.h, g.m.at, g.m.at, 5); });
  cases.add("XtExec of R2C, inverse", Made::r2c,
            [](G g) { return g.f.XtExec(g.h, g.m.at, g.m.at, CUFFT_INVERSE); });
  cases.add("XtExec null", Made::c2c, [](G g) { return g.f.XtExec(g.h, nullptr, nullptr, CUFFT_FORWARD); });
  cases.add("Destroy twice", Made::no, [](G g) {
    cufftHandle h = -1;
    g.f.Create(&h);
    g.f.Destroy(h);
    return g.f.Destroy(h);
  });
  cases.add("Destroy 999", Made::no, [](G g) { return g.f.Destroy(999); });
  cases.add("Destroy null plan", Made::no, [](G g) { return g.f.Destroy(-1); });
  cases.add("Exec destroyed", Made::no, [](G g) {
    cufftHandle h = -1;
    g.f.Plan1d(&h, 8, CUFFT_C2C, 1);
    g.f.Destroy(h);
    return g.f.ExecC2C(h, g.m.c(), g.m.c(), CUFFT_FORWARD);
  });
  cases.add("ExecR2C input aligned to 4", Made::r2c, [](G g) {
    Memory const out;
    return g.f.ExecR2C(g.h, g.m.r() + 1, out.c());
  });
  cases.add("ExecC2C without a work area", [](Api const& f) {
    Memory const data(std::size_t(64) << 20);
    cufftHandle h = -1;
    std::size_t bytes = 0;
    f.Create(&h);
    f.SetAutoAllocation(h, 0);
    f.MakePlan1d(h, 1 << 20, CUFFT_C2C, 1, &bytes);
    cufftResult const result = f.ExecC2C(h, data.c(), data.c(), CUFFT_FORWARD);
    f.Destroy(h);
    return bytes ? code(result) : "needs none";
  });
}
