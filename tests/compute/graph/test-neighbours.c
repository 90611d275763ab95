#include "graph/es-neighbours.h"
#include "embedding/es-embedding-quality.h"
#include "es-hotspots.h"
#include <math.h>
int main(void){ gsize n=500;guint d=3; float*x=g_new(float,n*d); for(gsize i=0;i<n*d;i++)x[i]=sin(i*1.7)*(i<900?1:1)+(i<600?0:10);
 g_autoptr(GError) e=NULL; EsNeighbours*g=es_neighbours_find(es_device_get_cpu(),0,x,n,d,10,ES_NEIGHBOURS_AUTOMATIC,1,NULL,NULL,NULL,&e);
 g_assert_no_error(e); guint32 part[500];gsize*s; guint p=es_neighbours_find_parts(g,part,&s); g_print("parts %u:",p);for(guint i=0;i<p;i++)g_print(" %zu",s[i]);
 double r; g_assert_true(es_neighbours_measure_recall(g,NULL,0,x,d,100,3,&r,NULL,&e)); guint64 mem; double t=es_neighbours_plan(NULL,0,100000,200,15,ES_NEIGHBOURS_EXACT,&mem); g_print(" recall %g plan %g s %zu MB\n",r,t,mem>>20);
 x[77]=NAN; g_assert_null(es_neighbours_find(NULL,0,x,n,d,10,0,1,NULL,NULL,NULL,&e)); g_print("%s\n",e->message); g_clear_error(&e);
 g_assert_null(es_neighbours_find(NULL,0,x,n,d,500,0,1,NULL,NULL,NULL,&e)); g_print("%s\n",e->message);
 double a[]={0,0,1,0,1,1,0,3},b[8]; for(int i=0;i<4;i++){b[2*i]=3*(0.6*a[2*i]-0.8*a[2*i+1])+5;b[2*i+1]=-3*(0.8*a[2*i]+0.6*a[2*i+1]);} g_print("procrustes %g\n",es_embedding_get_procrustes(a,b,4,2)); b[0]+=0.5; g_print("procrustes %g\n",es_embedding_get_procrustes(a,b,4,2));}
